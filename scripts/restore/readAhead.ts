import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { SavedLine } from '../backup/readBackup.ts'
import { RESTORE_BATCH_BYTES_MAX } from './batches.ts'

/** Events of the file that were not found in the store yet, at most one batch of them. */
export class ReadAhead {
  readonly #eventsMax: number
  readonly #byPlace = new Map<string, SavedLine>()
  #bytes = 0

  constructor(eventsMax: number) {
    this.#eventsMax = eventsMax
  }

  get lines(): SavedLine[] {
    return [...this.#byPlace.values()]
  }

  get takesMore(): boolean {
    return this.#byPlace.size < this.#eventsMax && this.#bytes < RESTORE_BATCH_BYTES_MAX
  }

  add(line: SavedLine, revision: number): void {
    this.#byPlace.set(placeOf(line.event.stream, revision), line)
    this.#bytes += line.bytes
  }

  find({ stream, revision }: RecordedEvent): SavedLine | undefined {
    return this.#byPlace.get(placeOf(stream, revision))
  }

  take(line: SavedLine, { stream, revision }: RecordedEvent): void {
    this.#byPlace.delete(placeOf(stream, revision))
    this.#bytes -= line.bytes
  }

  clear(): void {
    this.#byPlace.clear()
    this.#bytes = 0
  }
}

function placeOf(stream: string, revision: number): string {
  return `${revision} ${stream}`
}
