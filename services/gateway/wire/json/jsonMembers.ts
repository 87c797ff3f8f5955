import { JSON_DEPTH_MAX } from '../../../../platform/http/body/jsonScan.ts'

const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** A native search has a price per call, so strings are first walked this far by hand. */
const SHORT_STRING_BYTES = 64

export type JsonMember = {
  /** Unescaped. */
  readonly name: string
  /** Of the key's opening quote. */
  readonly keyStart: number
  readonly valueStart: number
  readonly valueEnd: number
}

export type JsonSpan = { readonly start: number; readonly end: number }

/** Counted during the walk. */
export type MemberCount = {
  /** The members at all depths, repeated names included. */
  members: number
}

/**
 * The members of the object that starts at `objectStart`, one level deep, repeated names included. The bytes are known
 * to be JSON (they were parsed before); on others the list means nothing, but the walk ends and never throws. Returns
 * null if a value is nested deeper than a request may be.
 */
export function listMembers(json: Buffer, objectStart = 0, count: MemberCount = { members: 0 }): JsonMember[] | null {
  const members: JsonMember[] = []
  let at = skipSpace(json, objectStart)
  if (at >= json.length || json[at] !== OPEN_BRACE) return members
  do {
    const keyStart = skipSpace(json, at + 1)
    if (keyStart >= json.length || json[keyStart] !== QUOTE) break
    const keyEnd = stringEnd(json, keyStart)
    const valueStart = Math.min(json.length, skipSpace(json, skipSpace(json, keyEnd) + 1))
    const valueEnd = endOfValue(json, valueStart, JSON_DEPTH_MAX - 1, count)
    count.members++
    if (valueEnd === TOO_DEEP) return null
    members.push({ name: unescaped(json, keyStart, keyEnd), keyStart, valueStart, valueEnd })
    at = skipSpace(json, valueEnd)
  } while (at < json.length && json[at] === COMMA)
  return members
}

/** Where the elements of the array that starts at `arrayStart` stand. The bytes are known to be JSON. */
export function listElements(json: Buffer, arrayStart: number): JsonSpan[] {
  const elements: JsonSpan[] = []
  let at = arrayStart
  do {
    const start = skipSpace(json, at + 1)
    if (start >= json.length || json[start] === CLOSE_BRACKET) break
    const end = endOfValue(json, start)
    elements.push({ start, end })
    at = skipSpace(json, end)
  } while (json[at] === COMMA)
  return elements
}

function unescaped(json: Buffer, keyStart: number, keyEnd: number): string {
  if (!hasEscape(json, keyStart, keyEnd)) return json.toString('utf8', keyStart + 1, keyEnd - 1)
  try {
    return JSON.parse(json.toString('utf8', keyStart, keyEnd))
  } catch {
    return json.toString('utf8', keyStart + 1, keyEnd - 1)
  }
}

function hasEscape(json: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (json[at] === BACKSLASH) return true
  }
  return false
}

export function skipSpace(json: Buffer, start: number): number {
  let at = start
  while (at < json.length) {
    const byte = json[at]
    if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) break
    at++
  }
  return at
}

const TOO_DEEP = -1

export function endOfValue(
  json: Buffer,
  start: number,
  depthMax = Number.POSITIVE_INFINITY,
  count?: MemberCount,
): number {
  if (start >= json.length) return json.length
  const first = json[start]
  if (first === QUOTE) return stringEnd(json, start)
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return endOfNested(json, start, depthMax, count)
  let at = start
  while (at < json.length) {
    const byte = json[at] as number
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte <= SPACE) break
    at++
  }
  return at
}

export function endOfNested(
  json: Buffer,
  start: number,
  depthMax = Number.POSITIVE_INFINITY,
  count?: MemberCount,
): number {
  let depth = 0
  let colons = 0
  let at = start
  while (at < json.length) {
    const byte = json[at]
    if (byte === QUOTE) {
      at = stringEnd(json, at)
      continue
    }
    at++
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > depthMax) return TOO_DEEP
    } else if (byte === COLON) {
      colons++
    } else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) {
      if (count) count.members += colons
      return at
    }
  }
  return json.length
}

/** The offset behind the closing quote of the string whose opening quote is at `start`. */
export function stringEnd(json: Buffer, start: number): number {
  let at = start + 1
  const near = Math.min(json.length, at + SHORT_STRING_BYTES)
  while (at < near) {
    const byte = json[at]
    if (byte === QUOTE) return at + 1
    at += byte === BACKSLASH ? 2 : 1
  }
  return farStringEnd(json, at)
}

function farStringEnd(json: Buffer, start: number): number {
  let at = start
  while (at < json.length) {
    const quote = json.indexOf(QUOTE, at)
    if (quote === -1) break
    let slashes = quote
    while (json[slashes - 1] === BACKSLASH) slashes--
    if ((quote - slashes) % 2 === 0) return quote + 1
    at = quote + 1
  }
  return json.length
}

export type ByteEdit = { readonly start: number; readonly end: number; readonly text: string }

/** The bytes with each span [start, end) replaced by its text. The edits come in ascending order and do not overlap. */
export function withEdits(source: Buffer, edits: readonly ByteEdit[]): Buffer {
  let length = source.length
  for (const edit of edits) length += Buffer.byteLength(edit.text) - (edit.end - edit.start)
  const edited = Buffer.allocUnsafe(length)
  let from = 0
  let to = 0
  for (const edit of edits) {
    if (edit.start < from || edit.end < edit.start) throw new RangeError(`The edit at byte ${edit.start} overlaps`)
    to += source.copy(edited, to, from, edit.start)
    to += edited.write(edit.text, to)
    from = edit.end
  }
  source.copy(edited, to, from)
  return edited
}

/** The edits that remove elements of an array, with their commas. At least one is removed. */
export function withoutElements(
  spans: readonly { readonly start: number; readonly end: number }[],
  isRemoved: (position: number) => boolean,
): ByteEdit[] {
  const edits: ByteEdit[] = []
  let from: number | null = null
  let keptEnd: number | null = null
  for (const [position, { start, end }] of spans.entries()) {
    if (isRemoved(position)) {
      from ??= start
      continue
    }
    if (from !== null) edits.push({ start: from, end: start, text: '' })
    from = null
    keptEnd = end
  }
  if (from !== null) edits.push({ start: keptEnd ?? from, end: spans.at(-1)?.end ?? from, text: '' })
  return edits
}
