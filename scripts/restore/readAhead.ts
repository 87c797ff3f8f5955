import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { SavedLine } from '../backup/readBackup.ts'
import { RESTORE_BATCH_BYTES_MAX } from './batches.ts'

/** Events of the file that were not found in the store yet, at most one batch. */
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

  /**
   * Whether the stored event is the first of its stream that was not found yet, at a lower revision than expected: the
   * events before it in the saved stream were another application's. The rest of its stream is then expected at
   * revisions lower by the same number. Returns that number, or 0.
   */
  closeGap(stored: RecordedEvent): number {
    const ofStream = [...this.#byPlace].filter(([, { event }]) => event.stream === stored.stream)
    const [first] = ofStream
    if (!first || first[1].event.id !== stored.id) return 0
    const gap = revisionIn(first[0]) - stored.revision
    if (gap <= 0) return 0
    for (const [place] of ofStream) this.#byPlace.delete(place)
    for (const [place, line] of ofStream) this.#byPlace.set(placeOf(stored.stream, revisionIn(place) - gap), line)
    return gap
  }

  clear(): void {
    this.#byPlace.clear()
    this.#bytes = 0
  }
}

function placeOf(stream: string, revision: number): string {
  return `${revision} ${stream}`
}

function revisionIn(place: string): number {
  return Number.parseInt(place, 10)
}
