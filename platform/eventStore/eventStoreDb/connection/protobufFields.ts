const VARINT = 0
const FIXED_64 = 1
const BYTES = 2
const FIXED_32 = 5

/**
 * Reads the fields of a protobuf message one after the other, in place. The client's generated classes copy every field
 * and decode text character by character, which costs more than the rest of reading an event.
 */
export class ProtobufFields {
  readonly #bytes: Buffer
  readonly #end: number
  #at: number
  #wireType = VARINT

  constructor(bytes: Buffer, at = 0, end: number = bytes.length) {
    this.#bytes = bytes
    this.#at = at
    this.#end = end
  }

  /** The number of the next field, which must be read or skipped before the next call; 0 at the end. */
  next(): number {
    if (this.#at === this.#end) return 0
    const tag = this.#varint()
    this.#wireType = tag & 7
    return tag >>> 3
  }

  /** An unsigned number, which is inexact beyond the safe integers. */
  number(): number {
    this.#require(VARINT)
    return this.#varint()
  }

  message(): ProtobufFields {
    const start = this.#begin()
    return new ProtobufFields(this.#bytes, start, this.#at)
  }

  bytes(): Buffer {
    const start = this.#begin()
    return this.#bytes.subarray(start, this.#at)
  }

  text(): string {
    const start = this.#begin()
    return this.#bytes.toString('utf8', start, this.#at)
  }

  skip(): void {
    if (this.#wireType === VARINT) this.#varint()
    else if (this.#wireType === BYTES) this.#begin()
    else if (this.#wireType === FIXED_64) this.#move(8)
    else if (this.#wireType === FIXED_32) this.#move(4)
    else throw new Error(`a protobuf field has the unknown wire type ${this.#wireType}`)
  }

  /** Moves past the field and returns where its content begins. */
  #begin(): number {
    this.#require(BYTES)
    const length = this.#varint()
    const start = this.#at
    this.#move(length)
    return start
  }

  #varint(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      if (this.#at >= this.#end) throw new Error('a protobuf message ends in the middle of a field')
      const byte = this.#bytes[this.#at++] as number
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
  }

  #move(length: number): void {
    if (length > this.#end - this.#at) throw new Error('a protobuf message ends in the middle of a field')
    this.#at += length
  }

  #require(wireType: number): void {
    if (this.#wireType !== wireType) {
      throw new Error(`a protobuf field has the wire type ${this.#wireType} instead of ${wireType}`)
    }
  }
}

/** The text in the field of this number, or an empty text. */
export function textIn(fields: ProtobufFields, number: number): string {
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field === number) return fields.text()
    fields.skip()
  }
  return ''
}

/** The number in the field of this number, or 0. */
export function numberIn(fields: ProtobufFields, number: number): number {
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field === number) return fields.number()
    fields.skip()
  }
  return 0
}
