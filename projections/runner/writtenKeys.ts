/** 4 MiB, of which the system allocates only used pages. With three million keys, one in a hundred is a false positive. */
const BITS = 2 ** 25
const HASHES = 4

/**
 * The keys of all rows of a model, as a Bloom filter: it has no false negatives, so a key that it lacks is not in the
 * table and need not be looked up. Its size is fixed; with many more keys, more lookups are in vain.
 */
export class WrittenKeys {
  /** Allocated with the first key: most models get none. */
  #words: Uint32Array | null = null

  /** Adds the key. Returns false if it certainly was not there before. */
  add(key: string): boolean {
    let first = 0x811c9dc5
    let second = 0x9e3779b9
    for (let n = 0; n < key.length; n++) {
      const code = key.charCodeAt(n)
      first = Math.imul(first ^ code, 0x01000193)
      second = Math.imul(second ^ code, 0x85ebca6b)
    }
    second = (second ^ (second >>> 15)) | 1
    this.#words ??= new Uint32Array(BITS / 32)
    const words = this.#words
    let mayBeThere = true
    for (let n = 0; n < HASHES; n++) {
      const bit = (first >>> 0) % BITS
      const mask = 1 << (bit & 31)
      const word = words[bit >>> 5] as number
      if ((word & mask) === 0) {
        mayBeThere = false
        words[bit >>> 5] = word | mask
      }
      first = (first + second) | 0
    }
    return mayBeThere
  }
}
