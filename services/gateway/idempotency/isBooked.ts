import { streamName } from '../../../contracts/streams.ts'
import type { EventStore } from '../../../platform/eventStore/port.ts'
import type { CallCharge } from './keptAnswer.ts'

/** The clocks of two machines may differ by this much. */
const SKEW_MS = 60_000

/** Reads from the end of the stream: no charge is written before its call is complete. */
export async function isBooked(
  store: Pick<EventStore, 'readStream'>,
  { companyId, callId, finishedAt }: CallCharge,
): Promise<boolean> {
  const earliestMs = Date.parse(finishedAt) - SKEW_MS
  for await (const event of store.readStream(streamName('ledger', companyId), { direction: 'backwards' })) {
    if (event.id === callId) return event.type === 'CallCharged'
    if (Date.parse(event.recordedAt) < earliestMs) return false
  }
  return false
}
