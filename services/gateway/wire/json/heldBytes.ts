const NOTHING = Buffer.alloc(0)
const BYTES_AT_FIRST = 1024

/**
 * Bytes that wait. They are copied into one buffer, so that a small event costs no object of its own and does not keep
 * the chunk alive that it arrived in.
 */
export class HeldBytes {
  readonly #bytesMax: number
  readonly #mayGrow: (bytes: number) => boolean
  #buffer = NOTHING
  #length = 0

  /** `mayGrow`: whether there may be more, this many bytes. */
  constructor(bytesMax: number, mayGrow: (bytes: number) => boolean = () => false) {
    this.#bytesMax = bytesMax
    this.#mayGrow = mayGrow
  }

  /** False if the limit does not allow these bytes; they are not added then. */
  add(bytes: Buffer): boolean {
    const length = this.#length + bytes.length
    if (length > this.#bytesMax && !this.#mayGrow(length)) return false
    if (length > this.#buffer.length) {
      const most = Math.max(this.#bytesMax, length)
      const larger = Buffer.allocUnsafe(Math.min(most, Math.max(BYTES_AT_FIRST, length * 2)))
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
