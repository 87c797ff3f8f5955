import type { Simulation } from '../simulation.ts'

/** Lines of the log that show what sometimes must happen. */
const LINES: readonly (readonly [message: RegExp, counter: string])[] = [
  [/^the sealer begins again$/, 'a sealer is replaced'],
  [/^sealer failed, retrying$/, 'a sealer fails and goes on'],
  [/^projection failed, retrying$/, 'a read model fails and goes on'],
  [/^read models cannot catch up together, retrying$/, 'a catch-up fails and goes on'],
  [/does not answer: /, 'a process sees that the database does not answer'],
  [/ answers again$/, 'a process sees that the database answers again'],
  [/^idle database connection broke$/, 'an idle connection breaks'],
  [/^feed of webhook events failed, subscribing again$/, 'the feed of payment events is subscribed again'],
  [/^webhook event failed, retrying$/, 'a payment event fails and is tried again'],
  [
    /^outcome of webhook event could not be stored, retrying$/,
    'the outcome of a payment event is stored at a later try',
  ],
  [/^correction of credits could not be booked, retrying$/, 'a correction is booked at a later try'],
  [/^company has two subscriptions, the later one is being ended$/, 'a second subscription is found'],
  [/^payment provider was asked about a lost event$/, 'a lost payment event is found by asking'],
  [/^settling calls of an earlier process$/, 'unsettled calls are found at a start'],
  [/^call of unknown outcome was settled$/, 'a call of unknown outcome is settled'],
  [/^file of an unsettled call cannot be read$/, 'a damaged file is reported'],
  [/^unsettled call could not be recorded on the disk$/, 'an unsettled call is known to memory only'],
  [/^call was taken over by another request/, 'a call is taken over under its idempotency key'],
  [/^circuit breaker opened/, 'a circuit breaker opens'],
  [/^gateway view lost its event source/, 'a view of a gateway subscribes again'],
  [/^task failed and will be retried$/, 'a task fails and is tried again'],
  [/^task completed$/, 'a task is completed'],
]

/** Counts from now on what processes log. */
export function countLines({ alarms, counters }: Simulation): void {
  alarms.follow(({ msg }) => {
    for (const [message, counter] of LINES) if (message.test(msg)) counters.hit(counter)
  })
}
