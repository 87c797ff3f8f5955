import type { ByteEdit } from '../json/jsonMembers.ts'
import { endOfLine, type SseEvent } from './sseEvents.ts'

/** Bytes and lines of an event's comments, names and ids that are read; an event that has more of them loses them. */
const OTHER_BYTES_MAX = 16 * 1024
const OTHER_LINES_MAX = 256

const COLON = 0x3a
const DATA_FIELD_BYTES = 'data: '.length
/** Of the data line and of the blank line after it. */
const LINE_ENDS_BYTES_MAX = 4
/** Fields whose own name means something; their value is what a provider chooses. */
const FIELDS = /^(?:event|id|retry)$/

/** The names of events of Responses and Messages, which say nothing of a provider, whatever it is called. */
const EVENT_NAMES = /^event: ?(?:response(?:\.[a-z_]+)+|(?:message|content_block)_(?:start|delta|stop)|ping|error)$/
const EVENT_NAME_BYTES_MAX = 80
const LETTER_E = 0x65

const ERROR_NAME = /^event: ?error$/
const ERROR_NAME_BYTES_MIN = 'event:error'.length

type Span = { readonly start: number; readonly end: number }

/** Redacts what an event has beside its data: comments, `event:`, `id:` and unknown fields. */
export function otherLineEdits(event: SseEvent, redaction: { forCallers(text: string): string }): ByteEdit[] {
  const { raw } = event
  const spans = otherSpans(event)
  if (spans === null) return allButData(event)
  if (spans.length === 0) return []
  // All lines at once, because a call of the redaction has a price of its own.
  const texts = spans.map(({ start, end }) => raw.toString('utf8', start, end))
  const before = texts.join('\n')
  const after = redaction.forCallers(before)
  if (after === before) return []
  const redacted = after.split('\n')
  if (redacted.length !== texts.length) return allButData(event)
  return spans.flatMap((span, index) => {
    const text = redacted[index] as string
    return text === texts[index] ? [] : [{ ...span, text }]
  })
}

/** Whether the event is called `error`: clients read such an event as one, whatever its data says. */
export function isNamedError(event: SseEvent): boolean {
  if (isDataAlone(event)) return false
  const { raw } = event
  let at = 0
  while (at < raw.length) {
    const end = endOfLine(raw, at)
    const bytes = end - at
    if (raw[at] === LETTER_E && bytes >= ERROR_NAME_BYTES_MIN && bytes <= ERROR_NAME_BYTES_MIN + 1) {
      if (ERROR_NAME.test(raw.toString('latin1', at, end))) return true
    }
    at = end + 1
  }
  return false
}

/** Almost every event is one data line, and has nothing else to be redacted. */
export function isDataAlone({ raw, dataLines }: SseEvent): boolean {
  const [line] = dataLines
  return (
    line !== undefined &&
    dataLines.length === 1 &&
    line.start <= DATA_FIELD_BYTES &&
    raw.length - line.end <= LINE_ENDS_BYTES_MAX
  )
}

/** The values of lines that are not data, and whole lines of unknown fields; null if there are too many. */
function otherSpans({ raw, dataLines }: SseEvent): Span[] | null {
  const spans: Span[] = []
  let bytes = 0
  let next = 0
  let at = 0
  while (at < raw.length) {
    const end = endOfLine(raw, at)
    if (dataLines[next]?.end === end && end > at) next++
    else if (end > at) {
      const start = valueStart(raw, at, end)
      if (start < end && !isEventName(raw, at, end)) spans.push({ start, end })
      bytes += end - start
      if (bytes > OTHER_BYTES_MAX || spans.length > OTHER_LINES_MAX) return null
    }
    at = end + 1
  }
  return spans
}

function valueStart(raw: Buffer, start: number, end: number): number {
  if (raw[start] === COLON) return start + 1
  const colon = raw.subarray(start, end).indexOf(COLON)
  const field = raw.toString('utf8', start, colon === -1 ? end : start + colon)
  if (!FIELDS.test(field)) return start
  return colon === -1 ? end : start + colon + 1
}

function isEventName(raw: Buffer, start: number, end: number): boolean {
  if (raw[start] !== LETTER_E || end - start > EVENT_NAME_BYTES_MAX) return false
  return EVENT_NAMES.test(raw.toString('latin1', start, end))
}

/** Leaves nothing but the data lines, or an empty comment. */
function allButData({ raw, dataLines }: SseEvent): ByteEdit[] {
  if (dataLines.length === 0) return [{ start: 0, end: raw.length, text: ':\n\n' }]
  let start = 0
  const edits = dataLines.map((line, index) => {
    const edit = { start, end: line.start, text: index === 0 ? 'data: ' : '\ndata: ' }
    start = line.end
    return edit
  })
  return [...edits, { start, end: raw.length, text: '\n\n' }]
}
