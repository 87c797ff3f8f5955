const VARINT = 0
const BYTES = 2

/** Writes a protobuf message into a buffer of its exact size. All field numbers are below 16. */
export class ProtobufWriter {
  readonly #bytes: Buffer
  #at = 0

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size)
  }

  number(field: number, value: number): void {
    this.#bytes[this.#at++] = (field << 3) | VARINT
    this.#varint(value)
  }

  /** Begins a field whose content, of this many bytes, is written next. */
  begin(field: number, size: number): void {
    this.#bytes[this.#at++] = (field << 3) | BYTES
    this.#varint(size)
  }

  text(field: number, text: string, size: number): void {
    this.begin(field, size)
    // If there are as many bytes as characters, the text is ASCII, which is faster to write as Latin-1.
    this.#at += this.#bytes.write(text, this.#at, size, size === text.length ? 'latin1' : 'utf8')
  }

  bytes(field: number, bytes: Buffer): void {
    this.begin(field, bytes.length)
    this.#at += bytes.copy(this.#bytes, this.#at)
  }

  /** The bytes that were written last, optionally skipping some at the end. */
  last(size: number, before = 0): Buffer {
    return this.#bytes.subarray(this.#at - before - size, this.#at - before)
  }

  /** Throws if the size was not that of the message. */
  end(): Buffer {
    if (this.#at !== this.#bytes.length) {
      throw new Error(`a protobuf message has ${this.#at} bytes instead of ${this.#bytes.length}`)
    }
    return this.#bytes
  }

  #varint(value: number): void {
    let rest = value
    while (rest >= 128) {
      this.#bytes[this.#at++] = (rest % 128) | 0x80
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#at++] = rest
  }
}

export function sizeOfNumber(value: number): number {
  return 1 + sizeOfVarint(value)
}

/** The size of a text, bytes or a message with this many bytes. */
export function sizeOfField(size: number): number {
  return 1 + sizeOfVarint(size) + size
}

function sizeOfVarint(value: number): number {
  let size = 1
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++
  return size
}
