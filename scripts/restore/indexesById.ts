import { hash } from 'node:crypto'

const KEY_WORDS = 4
/** The key, and the index plus one, so that zero marks a free slot. */
const SLOT_WORDS = KEY_WORDS + 1
const SLOTS_INITIAL = 1024
const FILLED_SHARE_MAX = 0.7
const INDEX_MAX = 2 ** 32 - 2

/**
 * The log index of each event, by its stream and id, in 30 to 60 bytes per event: a Map of strings takes several times
 * as much, and a ledger may have millions of them. Events are distinguished by 128 bits of a SHA-256.
 */
export class IndexesById {
  #slots = new Uint32Array(SLOTS_INITIAL * SLOT_WORDS)
  #filled = 0

  /** Adds the event and returns null, or returns the index with which it was added before. */
  addOrFind(stream: string, id: string, index: number): number | null {
    if (index > INDEX_MAX) throw new Error(`a log index is at most ${INDEX_MAX}, not ${index}`)
    const digest = hash('sha256', `${stream} ${id}`, 'buffer')
    const key = Uint32Array.from({ length: KEY_WORDS }, (_, word) => digest.readUInt32LE(word * 4))
    const at = slotOf(this.#slots, key)
    const found = this.#slots[at + KEY_WORDS] ?? 0
    if (found > 0) return found - 1
    this.#slots.set(key, at)
    this.#slots[at + KEY_WORDS] = index + 1
    this.#filled++
    if (this.#filled * SLOT_WORDS > this.#slots.length * FILLED_SHARE_MAX) this.#grow()
    return null
  }

  #grow(): void {
    const grown = new Uint32Array(this.#slots.length * 2)
    for (let at = 0; at < this.#slots.length; at += SLOT_WORDS) {
      if (this.#slots[at + KEY_WORDS] === 0) continue
      const slot = this.#slots.subarray(at, at + SLOT_WORDS)
      grown.set(slot, slotOf(grown, slot))
    }
    this.#slots = grown
  }
}

/** The slot of the key, or the free slot in which it belongs. */
function slotOf(slots: Uint32Array, key: Uint32Array): number {
  const count = slots.length / SLOT_WORDS
  for (let slot = (key[0] ?? 0) % count; ; slot = (slot + 1) % count) {
    const at = slot * SLOT_WORDS
    if (slots[at + KEY_WORDS] === 0) return at
    let word = 0
    while (word < KEY_WORDS && slots[at + word] === key[word]) word++
    if (word === KEY_WORDS) return at
  }
}
