import { StaleBasis } from '../../../capabilities/commands/commandHandler.ts'
import type { PaymentEventBody } from '../../../capabilities/payments/providerObjects.ts'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import type { StreamName } from '../../../contracts/streams.ts'
import type { Decider } from '../../../domain/decider.ts'
import type { Answer } from '../../../domain/providerReport.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { contextOf, type PaymentEventDependencies } from './paymentEventDependencies.ts'

/** How many times the provider is asked again because another event of the same object was recorded meanwhile. */
const QUESTIONS_MAX = 10

type Reported = 'subscription' | 'invoice' | 'purchase' | 'dispute'

type Recording<C extends Reported, State, Command, Facts> = {
  readonly decider: Decider<State, Command, EventOf<C>>
  readonly stream: StreamName<C>
  mustAsk(state: State): boolean
  ask(): Promise<Facts>
  command(answer: Answer<Facts> | null): Command
}

/** What was decided, and the provider's answer if it was asked. */
type Recorded<C extends Reported, Facts> = {
  readonly events: readonly EventOf<C>[]
  readonly answer: Facts | null
}

/**
 * Records a report of the provider, together with the provider's answer if the report needs one. An
 * answer may be older than one that was recorded while it was on its way, so it counts only if the stream did not change
 * since the question. Otherwise the provider is asked again.
 */
export async function recordWithAnswer<C extends Reported, State, Command, Facts>(
  { commands, clock }: PaymentEventDependencies,
  paymentEvent: PaymentEventBody,
  { decider, stream, mustAsk, ask, command }: Recording<C, State, Command, Facts>,
): Promise<Recorded<C, Facts>> {
  for (let question = 1; ; question++) {
    const { state, revision } = await commands.stateWithRevision(decider, stream)
    const askedAt = isoTime(clock.now())
    const facts = mustAsk(state) ? await ask() : null
    const context = facts === null ? contextOf(paymentEvent) : { ...contextOf(paymentEvent), basedOn: revision }
    try {
      const { events } = await commands.handle(decider, stream, command(facts && { facts, askedAt }), context)
      return { events, answer: facts }
    } catch (error) {
      if (!(error instanceof StaleBasis) || question === QUESTIONS_MAX) throw error
    }
  }
}
