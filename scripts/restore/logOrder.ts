import { categoryOf } from '../../contracts/streams.ts'
import type { SavedLine } from '../backup/readBackup.ts'

/**
 * Puts events that have a log index back into the order of the log. A store into which they were restored may hold them
 * out of order by as many as a batch has, and without this every further restore would add to that. Events of one stream
 * stay in their order.
 */
export class LogOrder {
  readonly #heldBackMax: number
  /** By the index whose turn it must be: the event itself, and then copies in its stream. */
  readonly #heldBack = new Map<number, SavedLine[]>()
  readonly #lastOf = new Map<string, number>()
  #next = 0

  constructor(heldBackMax: number) {
    this.#heldBackMax = heldBackMax
  }

  *add(line: SavedLine): Iterable<SavedLine> {
    const { stream, metadata } = line.event
    if (categoryOf(stream) !== 'ledger') {
      yield line
      return
    }
    if (metadata.logIndex === undefined) {
      // New events follow all restored ones.
      yield* this.end()
      yield line
      return
    }
    const turn = Math.max(metadata.logIndex, this.#lastOf.get(stream) ?? 0)
    if (turn < this.#next) {
      yield line
      return
    }
    const sameTurn = this.#heldBack.get(turn)
    if (sameTurn) sameTurn.push(line)
    else this.#heldBack.set(turn, [line])
    this.#lastOf.set(stream, turn)
    while (this.#heldBack.has(this.#next)) yield* this.#release(this.#next)
    // Only a store that lacks an event gets here: its gap is passed, for the log itself to find.
    while (this.#heldBack.size > this.#heldBackMax) yield* this.#release(Math.min(...this.#heldBack.keys()))
  }

  *end(): Iterable<SavedLine> {
    for (const turn of [...this.#heldBack.keys()].toSorted((a, b) => a - b)) yield* this.#release(turn)
  }

  *#release(turn: number): Iterable<SavedLine> {
    const lines = this.#heldBack.get(turn) ?? []
    this.#heldBack.delete(turn)
    this.#next = turn + 1
    for (const line of lines) {
      if (this.#lastOf.get(line.event.stream) === turn) this.#lastOf.delete(line.event.stream)
      yield line
    }
  }
}
