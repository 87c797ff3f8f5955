const NOTHING = Buffer.alloc(0)
const BYTES_AT_FIRST = 1024

/**
 * Bytes that wait. They are copied into one buffer, so that a small event costs no object of its own and does not keep
 * the chunk alive that it arrived in.
 */
export class HeldBytes {
  readonly #bytesMax: number
  #buffer = NOTHING
  #length = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** False if the limit does not allow these bytes; they are not added then. */
  add(bytes: Buffer): boolean {
    const length = this.#length + bytes.length
    if (length > this.#bytesMax) return false
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(this.#bytesMax, Math.max(BYTES_AT_FIRST, length * 2)))
      this.#buffer.copy(larger, 0, 0, this.#length)
      this.#buffer = larger
    }
    bytes.copy(this.#buffer, this.#length)
    this.#length = length
    return true
  }

  /** The bytes so far; from then on none are held. */
  take(): Buffer {
    const taken = this.bytes()
    this.#buffer = NOTHING
    this.#length = 0
    return taken
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }
}
