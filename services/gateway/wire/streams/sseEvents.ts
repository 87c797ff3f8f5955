const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const COLON = 0x3a
const BYTE_ORDER_MARK = Buffer.from('\ufeff')
const NOTHING = Buffer.alloc(0)
/** Most lines end within this many bytes, which are faster read than searched. */
const NEAR_BYTES = 256
const WINDOW_BYTES = 16 * 1024

export type DataLine = { readonly start: number; readonly end: number }

/** Lines of data in one event, each of which costs an object. */
const DATA_LINES_MAX = 20_000

export type SseEvent = {
  /** As received, with the blank line that ends it: the raw bytes of all events and the rest are the stream. */
  readonly raw: Buffer
  /** The values of its data lines, joined by line feeds; null if it has none, as in a comment. */
  readonly data: Buffer | null
  /** Where those values stand in `raw`. */
  readonly dataLines: readonly DataLine[]
}

export type SseSplitter = {
  /** The events that this chunk completes. They share its memory, so the chunk must not be written to again. */
  push(chunk: Uint8Array): SseEvent[]
  /** The events completed by the end of the stream, and the bytes of an incomplete event. */
  end(): { readonly events: SseEvent[]; readonly rest: Buffer }
}

export type SseSplitterOptions = {
  readonly eventBytesMax: number
  /** Whether an event may be larger, with this many bytes. */
  readonly mayGrow?: (bytes: number) => boolean
}

export class SseEventTooLargeError extends Error {
  override readonly name = 'SseEventTooLargeError'

  constructor(how: string) {
    super(`A server-sent event ${how}`)
  }
}

/**
 * Splits a stream of server-sent events, however it is cut into chunks. Blank lines between two events are returned as one
 * event without data, or as few. An event that ends with a lone carriage return is
 * returned with the next chunk, whose first byte shows whether a line feed belongs to that line end.
 */
export function createSseSplitter({ eventBytesMax, mayGrow }: SseSplitterOptions): SseSplitter {
  // A growing buffer and not a list of chunks, so that a provider that sends single bytes costs no object for each.
  let held = NOTHING
  let heldBytes = 0
  let lineIsEmpty = true
  let afterCarriageReturn = false
  let endsUnlessLineFeed = false
  let isFirst = true

  function check(bytes: number): void {
    if (bytes <= eventBytesMax || mayGrow?.(bytes)) return
    throw new SseEventTooLargeError(`is larger than ${eventBytesMax} bytes`)
  }

  function hold(chunk: Buffer, start: number, end: number): void {
    const bytes = heldBytes + end - start
    check(bytes)
    if (bytes > held.length) {
      const most = Math.max(eventBytesMax, Math.ceil(bytes * 1.25))
      const larger = Buffer.allocUnsafe(Math.min(most, Math.max(1024, bytes * 2)))
      held.copy(larger, 0, 0, heldBytes)
      held = larger
    }
    chunk.copy(held, heldBytes, start, end)
    heldBytes = bytes
  }

  function take(chunk: Buffer, start: number, end: number): SseEvent {
    let raw: Buffer
    if (heldBytes === 0) {
      check(end - start)
      raw = chunk.subarray(start, end)
    } else {
      hold(chunk, start, end)
      raw = held.subarray(0, heldBytes)
      held = NOTHING
      heldBytes = 0
    }
    lineIsEmpty = true
    afterCarriageReturn = false
    endsUnlessLineFeed = false
    const event = readEvent(raw, isFirst)
    isFirst = false
    return event
  }

  return {
    push(input) {
      const chunk = Buffer.isBuffer(input) ? input : Buffer.from(input.buffer, input.byteOffset, input.byteLength)
      const events: SseEvent[] = []
      const length = chunk.length
      let start = 0
      let at = 0
      if (endsUnlessLineFeed && length > 0) {
        at = chunk[0] === LINE_FEED ? 1 : 0
        events.push(take(chunk, 0, at))
        start = at
      }
      while (at < length) {
        const byte = chunk[at++] as number
        if (byte === LINE_FEED) {
          if (afterCarriageReturn) {
            afterCarriageReturn = false
          } else if (lineIsEmpty) {
            if (heldBytes === 0 && at - start === 1) at = endOfBlankLines(chunk, at, start + eventBytesMax)
            events.push(take(chunk, start, at))
            start = at
          } else {
            lineIsEmpty = true
          }
        } else if (byte === CARRIAGE_RETURN) {
          if (!lineIsEmpty) {
            lineIsEmpty = true
            afterCarriageReturn = true
          } else if (at === length) {
            endsUnlessLineFeed = true
          } else {
            const isBlank = heldBytes === 0 && at - start === 1
            if (chunk[at] === LINE_FEED) at++
            if (isBlank) at = endOfBlankLines(chunk, at, start + eventBytesMax)
            events.push(take(chunk, start, at))
            start = at
          }
        } else {
          lineIsEmpty = false
          afterCarriageReturn = false
          at = endOfLine(chunk, at)
        }
      }
      if (start < length) hold(chunk, start, length)
      return events
    },

    end() {
      const events = endsUnlessLineFeed ? [take(NOTHING, 0, 0)] : []
      const rest = held.subarray(0, heldBytes)
      held = NOTHING
      heldBytes = 0
      return { events, rest }
    },
  }
}

/**
 * Blank lines after a blank line, which would be an event each: thousands of objects for a few kilobytes. A carriage return at
 * the end of the chunk is left, because a line feed may follow it.
 */
function endOfBlankLines(chunk: Buffer, start: number, endMax: number): number {
  const end = Math.min(chunk.length, endMax)
  let at = start
  while (at < end && (chunk[at] === LINE_FEED || (chunk[at] === CARRIAGE_RETURN && at + 1 < chunk.length))) at++
  return at
}

export function endOfLine(bytes: Buffer, start: number): number {
  const nearEnd = Math.min(bytes.length, start + NEAR_BYTES)
  for (let at = start; at < nearEnd; at++) {
    const byte = bytes[at] as number
    if (byte === LINE_FEED || byte === CARRIAGE_RETURN) return at
  }
  // In windows, because both searches would otherwise read everything for each line that ends with the other byte.
  for (let from = nearEnd; from < bytes.length; from += WINDOW_BYTES) {
    const window = bytes.subarray(from, from + WINDOW_BYTES)
    const lineFeed = window.indexOf(LINE_FEED)
    const carriageReturn = (lineFeed === -1 ? window : window.subarray(0, lineFeed)).indexOf(CARRIAGE_RETURN)
    const found = carriageReturn === -1 ? lineFeed : carriageReturn
    if (found !== -1) return from + found
  }
  return bytes.length
}

function readEvent(raw: Buffer, isFirst: boolean): SseEvent {
  const dataLines: { start: number; end: number }[] = []
  let at = isFirst && raw.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
  while (at < raw.length) {
    const end = endOfLine(raw, at)
    const start = dataValueStart(raw, at, end)
    if (start !== -1) dataLines.push({ start, end })
    if (dataLines.length > DATA_LINES_MAX) throw new SseEventTooLargeError(`has more than ${DATA_LINES_MAX} lines`)
    // Between the CR and the LF of one line end this sees an empty line, which holds no data.
    at = end + 1
  }
  return { raw, data: joinLines(raw, dataLines), dataLines }
}

/** -1 if the line is not a data line. */
function dataValueStart(raw: Buffer, start: number, end: number): number {
  if (end - start < 4) return -1
  if (raw[start] !== 0x64 || raw[start + 1] !== 0x61 || raw[start + 2] !== 0x74 || raw[start + 3] !== 0x61) return -1
  if (end - start === 4) return end
  if (raw[start + 4] !== COLON) return -1
  return raw[start + 5] === SPACE ? start + 6 : start + 5
}

function joinLines(raw: Buffer, lines: SseEvent['dataLines']): Buffer | null {
  const [first] = lines
  if (first === undefined) return null
  if (lines.length === 1) return raw.subarray(first.start, first.end)
  const joined = Buffer.alloc(
    lines.reduce((bytes, { start, end }) => bytes + end - start + 1, -1),
    LINE_FEED,
  )
  let to = 0
  for (const { start, end } of lines) to += raw.copy(joined, to, start, end) + 1
  return joined
}
