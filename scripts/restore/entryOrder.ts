import { CHECKPOINTS_STREAM } from '../../contracts/streams.ts'
import type { SavedLine } from '../backup/readBackup.ts'

/**
 * Puts events back into the order of the transparency log: the entries by their index, and each checkpoint after the
 * entries that it covers. A restored store may hold them out of order by up to one batch, and without this every
 * further restore would add to that. Events of one stream stay in order.
 */
export class EntryOrder {
  readonly #heldBackMax: number
  readonly #entries = new Map<number, SavedLine>()
  /** Events that follow the entry with this index: checkpoints, and copies of earlier events of its stream. */
  readonly #followers = new Map<number, SavedLine[]>()
  readonly #lastOf = new Map<string, number>()
  #heldBack = 0
  #next = 0

  constructor(heldBackMax: number) {
    this.#heldBackMax = heldBackMax
  }

  /** Adds whatever is no longer held back to `inOrder`. */
  add(line: SavedLine, inOrder: SavedLine[]): void {
    const { stream, metadata } = line.event
    // Almost every entry is the next one, and nothing waits for it.
    if (this.#heldBack === 0 && metadata.logIndex === this.#next) {
      this.#next++
      inOrder.push(line)
      return
    }
    const own = stream === CHECKPOINTS_STREAM ? Number(line.event.data.size) - 1 : metadata.logIndex
    const turn = own === undefined ? -1 : Math.max(own, this.#lastOf.get(stream) ?? -1)
    if (!(turn >= this.#next)) {
      inOrder.push(line)
      return
    }
    if (metadata.logIndex === turn && !this.#entries.has(turn)) this.#entries.set(turn, line)
    else this.#followers.set(turn, [...(this.#followers.get(turn) ?? []), line])
    this.#lastOf.set(stream, turn)
    this.#heldBack++
    while (this.#entries.has(this.#next)) this.#release(this.#next, inOrder)
    // Only reached if the store lacks an event. The gap is skipped: the sealer will find it and name it.
    while (this.#heldBack > this.#heldBackMax) this.#release(Math.min(...this.#turns()), inOrder)
  }

  /** What is still held back. */
  end(): SavedLine[] {
    const inOrder: SavedLine[] = []
    for (const turn of this.#turns().toSorted((a, b) => a - b)) this.#release(turn, inOrder)
    return inOrder
  }

  #release(turn: number, inOrder: SavedLine[]): void {
    const entry = this.#entries.get(turn)
    const lines = [...(entry ? [entry] : []), ...(this.#followers.get(turn) ?? [])]
    this.#entries.delete(turn)
    this.#followers.delete(turn)
    this.#heldBack -= lines.length
    this.#next = turn + 1
    for (const line of lines) {
      if (this.#lastOf.get(line.event.stream) === turn) this.#lastOf.delete(line.event.stream)
      inOrder.push(line)
    }
  }

  #turns(): number[] {
    return [...new Set([...this.#entries.keys(), ...this.#followers.keys()])]
  }
}
