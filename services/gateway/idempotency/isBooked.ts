import { streamName } from '../../../contracts/streams.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import type { CallCharge } from './keptAnswer.ts'

/** Clocks of two machines may differ by this much. */
const SKEW_MS = 60_000

/** Read from the end: no charge was written before its call was complete. */
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
