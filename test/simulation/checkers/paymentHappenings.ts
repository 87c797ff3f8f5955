import { grouped, only, type StoredEvent } from './events.ts'

const CARRIED_ON_MS = 20_000

/** What several events about disputes and top-ups show together. */
export function paymentOutcomes(
  events: readonly StoredEvent[],
): readonly (readonly [counter: string, times: number])[] {
  const returned = only(events, 'CreditsReinstated').filter(({ data }) => data.disputeId !== null)
  const asked = only(events, 'WebhookReceived').filter(
    ({ data }) => data.eventId.startsWith('asked_') && data.type.startsWith('charge.dispute.'),
  )
  const closed = grouped(only(events, 'DisputeClosed'), ({ stream }) => stream)
  const switchedOff = only(events, 'TopUpSwitchedOff').filter(({ data }) => data.reason === 'DECLINED')
  const started = new Map(only(events, 'TopUpStarted').map(({ data, recordedAt }) => [data.attemptId, recordedAt]))
  const confirmed = new Set(only(events, 'TopUpConfirmationNeeded').map(({ data }) => data.attemptId))
  const paid = only(events, 'TopUpSucceeded')
  const late = paid.filter(
    ({ data, recordedAt }) =>
      Date.parse(recordedAt) - Date.parse(started.get(data.attemptId) ?? recordedAt) > CARRIED_ON_MS,
  )
  return [
    ['disputed credits are given back', returned.length],
    ['a dispute is found by asking', asked.length],
    ['a dispute is closed again', [...closed.values()].filter(({ length }) => length > 1).length],
    ['declines switch top-up off', switchedOff.length],
    ['a top-up is paid after its confirmation', paid.filter(({ data }) => confirmed.has(data.attemptId)).length],
    ['a top-up is paid long after its start', late.length],
  ]
}
