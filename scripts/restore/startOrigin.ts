import { deterministicId } from '../../capabilities/commands/eventId.ts'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import { CHECKPOINTS_STREAM } from '../../contracts/streams.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { newEvent } from '../../platform/eventStore/eventCodec.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import type { SavedLine } from '../backup/readBackup.ts'
import { savedEvent } from '../backup/savedEvent.ts'
import type { NewOrigin } from './newOrigin.ts'

/** The same for every run of the restore of a file, so that the origin is started once. */
const idFor = (sha256: string): string => deterministicId(`log origin after the restore of ${sha256}`)

/** The event with which an earlier run of this restore started an origin. It is always written last. */
export async function startedOrigin(store: EventStore, sha256: string): Promise<RecordedEvent | null> {
  for await (const last of store.readStream(CHECKPOINTS_STREAM, { direction: 'backwards', limit: 1 })) {
    if (last.id === idFor(sha256)) return last
  }
  return null
}

/** The lines of the file, followed by that event: a restore that continues finds it in the store. */
export async function* withStartedOrigin(
  pages: AsyncIterable<readonly SavedLine[]>,
  started: RecordedEvent | null,
  revision: number,
): AsyncGenerator<readonly SavedLine[], void, void> {
  yield* pages
  if (started) yield [{ event: { ...savedEvent(started), revision }, bytes: 0 }]
}

/** Called when all events are stored. `size`: the number of entries that they have in the log. */
export async function startOrigin(
  { store, clock }: { readonly store: EventStore; readonly clock: Clock },
  { origin, reason }: NewOrigin,
  { sha256, size, at: startedAt }: { readonly sha256: string; readonly size: number; readonly at: string },
): Promise<void> {
  const id = idFor(sha256)
  const event = { type: 'LogOriginStarted', data: { origin, reason, size, startedAt } }
  const actor = { kind: 'system', name: 'restore' } as const
  let last = -1
  for await (const { revision } of store.readStream(CHECKPOINTS_STREAM, { direction: 'backwards', limit: 1 }))
    last = revision
  const expected = last < 0 ? 'none' : last
  await new PursuingAppender(store, clock).append(CHECKPOINTS_STREAM, expected, [
    newEvent(id, event, { correlationId: id, causationId: id, actor }),
  ])
}
