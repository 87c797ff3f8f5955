import type { RecordedEvent } from '../../contracts/envelope.ts'
import { upcast } from '../../platform/eventStore/eventCodec.ts'
import { requireStorable } from '../../platform/eventStore/eventGuard.ts'
import type { BackupFacts } from '../backup/format.ts'
import { readBackup } from '../backup/readBackup.ts'
import { restoredEvent, type SavedEvent } from '../backup/savedEvent.ts'

/**
 * Reads the whole file before anything is written: it must be complete and unaltered, every store must accept each of
 * its events, and this program must be able to read them. `inspect` gets each event.
 */
export async function checkBackup(file: string, inspect: (event: SavedEvent) => void): Promise<BackupFacts> {
  const lines = readBackup(file)
  for (;;) {
    const next = await lines.next()
    if (next.done) return next.value
    for (const { event } of next.value) {
      requireUsable(file, event)
      inspect(event)
    }
  }
}

function requireUsable(file: string, saved: SavedEvent): void {
  try {
    // Parsed here, so the text is known to be JSON wherever it is copied later.
    const { data } = saved
    requireStorable(saved.stream, { ...restoredEvent(saved), data }, saved.dataText)
    upcast({ ...saved, data } satisfies RecordedEvent)
  } catch (error) {
    const { stream, revision } = saved
    throw new Error(
      `${file} cannot be restored: the event at revision ${revision} of ${stream}: ${(error as Error).message}`,
    )
  }
}
