import { UUID } from '../../contracts/uuid.ts'

/** A UUID is 128 bits. */
const ID_WORDS = 4
const ZEROS = '00000000-0000-0000-0000-000000000000'
const SLOTS_INITIAL = 1_024
const FILLED_SHARE_MAX = 0.8
const GROWTH = 1.5

/**
 * Recognises every event id that was seen, in 20 to 30 bytes an id, and in 50 while the table grows: a Set of strings
 * takes about 100. Exact recognition is impossible in constant memory, and a reader that forgets the oldest ids would
 * count an event twice if the store repeats it much later. A ledger of ten million events takes 300 MB at most.
 */
export class SeenIds {
  /** Open addressing. A free slot has only zeros. */
  #slots = new Uint32Array(SLOTS_INITIAL * ID_WORDS)
  #filled = 0
  /** Ids without a slot: other texts than UUIDs, and the all-zero UUID. No version of this program writes one. */
  readonly #others = new Set<string>()
  readonly #id = new Uint32Array(ID_WORDS)

  /** Whether the id was seen before. It counts as seen from now on. */
  isRepeated(id: string): boolean {
    if (!UUID.test(id) || id === ZEROS) return this.#isRepeatedText(id)
    const words = this.#id
    words[0] = Number.parseInt(id.slice(0, 8), 16)
    words[1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16)
    words[2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16)
    words[3] = Number.parseInt(id.slice(28, 36), 16)
    const at = placeOf(this.#slots, words)
    if (!isFree(this.#slots, at)) return true
    this.#slots.set(words, at)
    this.#filled += 1
    if (this.#filled * ID_WORDS > this.#slots.length * FILLED_SHARE_MAX) this.#grow()
    return false
  }

  /** The memory of the table. */
  get bytes(): number {
    return this.#slots.byteLength
  }

  #isRepeatedText(id: string): boolean {
    const isRepeated = this.#others.has(id)
    this.#others.add(id)
    return isRepeated
  }

  #grow(): void {
    const slots = this.#slots.length / ID_WORDS
    const grown = new Uint32Array(Math.ceil(slots * GROWTH) * ID_WORDS)
    for (let at = 0; at < this.#slots.length; at += ID_WORDS) {
      if (isFree(this.#slots, at)) continue
      const words = this.#slots.subarray(at, at + ID_WORDS)
      grown.set(words, placeOf(grown, words))
    }
    this.#slots = grown
  }
}

function isFree(slots: Uint32Array, at: number): boolean {
  return slots[at] === 0 && slots[at + 1] === 0 && slots[at + 2] === 0 && slots[at + 3] === 0
}

/** The slot of the id, or the free slot in which it belongs. */
function placeOf(slots: Uint32Array, words: Uint32Array): number {
  const [one = 0, two = 0, three = 0, four = 0] = words
  // Sequential ids, as tests make them, differ only in their last digits.
  let at = (((one ^ two ^ three ^ four) >>> 0) % (slots.length / ID_WORDS)) * ID_WORDS
  while (!isFree(slots, at)) {
    if (slots[at] === one && slots[at + 1] === two && slots[at + 2] === three && slots[at + 3] === four) break
    at = at + ID_WORDS === slots.length ? 0 : at + ID_WORDS
  }
  return at
}
