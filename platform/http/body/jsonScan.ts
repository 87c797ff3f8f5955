const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** A native search has a cost per call, so the start of a string, and what follows an escape, is scanned by hand first. */
const SHORT_STRING_BYTES = 64

/** Levels of objects and arrays. Common parsers refuse more, and recursive code would exhaust its stack. */
export const JSON_DEPTH_MAX = 128
/** The limit for services that are not on the hot path: more values than any of their requests needs. */
export const SERVICE_JSON_VALUES_MAX = 20_000

export type JsonLimits = {
  /** Values of all arrays and objects together. */
  readonly valuesMax: number
  /** Members of all objects together, if lower than the limit of values: they take several times as long to parse. */
  readonly membersMax?: number
}

export type JsonExcess = 'too deep' | 'too many values'

/**
 * Counts depth, values and members of JSON while its bytes arrive, so that a body that is cheap to send but expensive
 * to parse is refused before it is complete. Whether the bytes are valid JSON is left to the parser.
 */
export class JsonScan {
  readonly #valuesMax: number
  readonly #membersMax: number
  #depth = 0
  #values = 0
  #members = 0
  #inString = false
  #escaped = false

  constructor({ valuesMax, membersMax = valuesMax }: JsonLimits) {
    this.#valuesMax = valuesMax
    this.#membersMax = membersMax
  }

  /** Returns the limit that the bytes so far exceed; null if none. */
  push(chunk: Buffer): JsonExcess | null {
    const { length } = chunk
    let [depth, values, members] = [this.#depth, this.#values, this.#members]
    let at = this.#inString ? this.#skipString(chunk, 0) : 0
    while (at < length) {
      const byte = chunk[at++] as number
      if (byte === QUOTE) {
        this.#inString = true
        at = this.#skipString(chunk, at)
      } else if (byte === COMMA) {
        values++
      } else if (byte === COLON) {
        members++
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        values++
        if (++depth > JSON_DEPTH_MAX) return 'too deep'
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth--
      }
    }
    this.#depth = depth
    this.#values = values
    this.#members = members
    return values > this.#valuesMax || members > this.#membersMax ? 'too many values' : null
  }

  /** The offset after the string's closing quote, or the end of the chunk. */
  #skipString(chunk: Buffer, start: number): number {
    const { length } = chunk
    let at = start
    if (this.#escaped && length > 0) {
      this.#escaped = false
      at++
    }
    let near = at + SHORT_STRING_BYTES
    while (at < length) {
      const byte = chunk[at++]
      if (byte === QUOTE) {
        this.#inString = false
        return at
      }
      if (byte === BACKSLASH) {
        if (at++ === length) {
          this.#escaped = true
          return length
        }
        near = at + SHORT_STRING_BYTES
      } else if (at === near) {
        at = nextSpecial(chunk, at)
        near = at + SHORT_STRING_BYTES
      }
    }
    return at
  }
}

/** The offset of the next quote or backslash, or the end of the chunk. */
function nextSpecial(chunk: Buffer, start: number): number {
  const quote = chunk.indexOf(QUOTE, start)
  const end = quote === -1 ? chunk.length : quote
  const backslash = chunk.subarray(start, end).indexOf(BACKSLASH)
  return backslash === -1 ? end : start + backslash
}

/** The limit that JSON in one piece exceeds; null if none. */
export function jsonExcess(bytes: Buffer, limits: JsonLimits): JsonExcess | null {
  return new JsonScan(limits).push(bytes)
}
