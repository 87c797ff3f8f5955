import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { BulkEvents, EventText, StoredText } from '../../platform/eventStore/port.ts'
import type { SavedLine } from '../backup/readBackup.ts'
import type { SavedEvent } from '../backup/savedEvent.ts'
import type { SavedLines } from './savedLines.ts'

/** The event as a restore stores it. */
export function textOf(event: SavedEvent, revision: number): EventText {
  const { stream, id, type, dataText } = event
  const metadata = JSON.stringify({ ...event.metadata, recordedAt: event.recordedAt })
  return { stream, revision, id, type, data: dataText ?? JSON.stringify(event.data), metadata }
}

/**
 * Takes the lines that the store begins with, in the same order and as the same texts, which costs far less than
 * parsing both and finds almost everything that a restore has stored. Returns the position of the last of them.
 */
export async function takeStored(
  bulk: BulkEvents,
  lines: SavedLines,
  { signal, onTaken }: { readonly signal: AbortSignal; readonly onTaken: (events: number) => void },
): Promise<Position> {
  let reached: Position = BEGINNING
  let next = bulk.read(reached)
  for (;;) {
    signal.throwIfAborted()
    const { events, position } = await next
    if (events.length === 0) return reached
    // The next page is read while this one is compared. A caller that stops never awaits it.
    next = bulk.read(position)
    next.catch(() => {})
    for (let at = 0; at < events.length; ) {
      const saved = await lines.ahead()
      const equal = saved ? equalOnes(events, at, saved) : 0
      lines.take(equal)
      onTaken(equal)
      at += equal
      reached = events[at - 1]?.position ?? reached
      if (at < events.length && equal < (saved?.length ?? 1)) return reached
    }
  }
}

/** How many of the stored events from this one on equal the saved ones. */
function equalOnes(stored: readonly StoredText[], from: number, saved: readonly SavedLine[]): number {
  let equal = 0
  for (; from + equal < stored.length && equal < saved.length; equal++) {
    const one = stored[from + equal]
    const event = saved[equal]?.event
    if (!one || !event || !isEqual(one, event)) break
  }
  return equal
}

function isEqual(stored: EventText, saved: SavedEvent): boolean {
  if (stored.id !== saved.id || stored.revision !== saved.revision || stored.stream !== saved.stream) return false
  const { type, data, metadata } = textOf(saved, saved.revision)
  return stored.type === type && stored.data === data && stored.metadata === metadata
}
