import type { NewEvent } from '../../../../contracts/envelope.ts'
import type { AppendResult, WrongExpectedRevision } from '../../port.ts'
import type { StoreReader } from './storeReader.ts'

/** The revision after the foreign events, or the place of our events if they are already stored there. */
export type BehindForeignEvents = { readonly revision: number } | { readonly found: AppendResult }

/**
 * Readers do not see foreign events, so the revision that they expect lies before any at the end of the stream. If only
 * such events are in between, the append goes after them. Null if the conflict is with another event of ours.
 */
export async function behindForeignEvents(
  reader: Pick<StoreReader, 'stream'>,
  { stream, expected, actual }: WrongExpectedRevision,
  events: readonly NewEvent[],
): Promise<BehindForeignEvents | null> {
  const last = expected === 'none' ? -1 : Number(expected)
  if (actual === null || actual <= last) return null
  let revision = last
  let foreign = 0
  let repeated = 0
  for await (const stored of reader.stream(stream, { from: last + 1 })) {
    if (stored.foreign && repeated === 0) {
      foreign++
      revision = stored.revision
      continue
    }
    if (stored.recorded?.id !== events[repeated]?.id) return null
    repeated++
    if (repeated < events.length) continue
    return foreign === 0 ? null : { found: { revision: stored.revision, position: stored.position, repeated: true } }
  }
  return foreign === 0 || repeated > 0 ? null : { revision }
}
