import type { RedactionOptions } from '../../../../capabilities/redaction/redaction.ts'
import { type ByteEdit, skipSpace, withEdits } from '../json/jsonMembers.ts'
import type { DataLine, SseEvent } from '../streams/sseEvents.ts'
import { isDataAlone, otherLineEdits } from '../streams/sseOtherLines.ts'
import { type ProviderMember, providerMembers } from './providerMembers.ts'

/** The replacements for a provider's own names. */
export type Disguise = {
  /** The alias as JSON, which stands for the name of the model. */
  readonly model: string
  readonly redaction: {
    forCallers(text: string): string
    withoutNames(text: string): string
    /** The redaction's data, for another thread. */
    readonly options: RedactionOptions
  }
}

export function disguiseOf(alias: string, redaction: Disguise['redaction']): Disguise {
  return { model: JSON.stringify(alias), redaction }
}

/** Nested members of one payload that are looked at; further ones are replaced unseen. */
const NESTED_MODELS_MAX = 1_000
const NESTED_ERRORS_MAX = 100

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const OPEN_BRACE = 0x7b
/** Members of an error that name the provider, or our account there. */
const PROVIDER_NAME = /^(?:provider(?:_name)?|org(?:anization)?(?:_id)?)$/i
const PROVIDER_NAMES = /"(?:provider|org)/i
const UNREAD_ERROR = '"The model reported an error."'

/**
 * A provider's JSON answer, or event, with the alias as its `model`, also where a nested `model` has the provider's name
 * of it, with redacted errors, and without members that name the provider or its price; every other byte stays.
 */
export function withModelAlias(json: Buffer, disguise: Disguise): Buffer {
  const edits = payloadEdits(json, 0, disguise)
  return edits.length === 0 ? json : withEdits(json, edits)
}

/** The raw bytes of a stream's event with the same edits in its payload, and with its other lines redacted. */
export function withStreamModelAlias(event: SseEvent, disguise: Disguise): Buffer {
  const { raw, data, dataLines } = event
  if (isDataAlone(event)) {
    const edits = payloadEdits(data as Buffer, (dataLines[0] as DataLine).start, disguise)
    return edits.length === 0 ? raw : withEdits(raw, edits)
  }
  const inPayload = data === null ? [] : inRaw(event, payloadEdits(data, 0, disguise))
  const around = otherLineEdits(event, disguise.redaction)
  if (around.length === 0) return inPayload.length === 0 ? raw : withEdits(raw, inPayload)
  return withEdits(raw, merged(inPayload, around))
}

/** A value that runs over several data lines is replaced together with the lines between them. */
function merged(inPayload: readonly ByteEdit[], around: readonly ByteEdit[]): ByteEdit[] {
  const edits: ByteEdit[] = []
  let until = 0
  for (const edit of [...inPayload, ...around].sort((a, b) => a.start - b.start)) {
    if (edit.start < until) continue
    edits.push(edit)
    until = edit.end
  }
  return edits
}

/** `offset` is where the payload begins in the bytes to be edited. */
function payloadEdits(json: Buffer, offset: number, disguise: Disguise): ByteEdit[] {
  const edits: ByteEdit[] = []
  const members = providerMembers(json)
  let reported: ProviderMember | undefined
  let models = 0
  let errors = 0
  for (const member of members) {
    const start = member.valueStart + offset
    const end = member.valueEnd + offset
    if (member.name === 'dropped') {
      drop(json, member, offset, edits)
      continue
    }
    if (member.name === 'error') {
      const text = errors++ < NESTED_ERRORS_MAX ? redactedError(json, member, disguise) : UNREAD_ERROR
      if (text !== null) edits.push({ start, end, text })
      continue
    }
    if (!member.isReported) {
      if (models === 0) reported = members.find(({ name, isReported }) => name === 'model' && isReported)
      if (models++ < NESTED_MODELS_MAX && !namesModel(json, member, reported, disguise)) continue
    }
    edits.push({ start, end, text: disguise.model })
  }
  return edits
}

/**
 * Removes a member with the comma behind it, or, if it is the last one, with the comma before it: that of the last member
 * that stays.
 */
function drop(json: Buffer, { keyStart, valueEnd }: ProviderMember, offset: number, edits: ByteEdit[]): void {
  const behind = skipSpace(json, valueEnd)
  if (json[behind] === COMMA) {
    edits.push({ start: keyStart + offset, end: skipSpace(json, behind + 1) + offset, text: '' })
    return
  }
  let start = keyStart
  while (edits.at(-1)?.text === '' && edits.at(-1)?.end === start + offset) {
    start = (edits.pop() as ByteEdit).start - offset
  }
  let before = start - 1
  while (before > 0 && isSpace(json[before])) before--
  if (json[before] === COMMA) start = Math.max(before, (edits.at(-1)?.end ?? 0) - offset)
  edits.push({ start: start + offset, end: valueEnd + offset, text: '' })
}

function isSpace(byte: number | undefined): boolean {
  return byte !== undefined && byte <= SPACE
}

/** Whether a nested `model` is the provider's, by the name that we know or the one that the answer reports. */
function namesModel(
  json: Buffer,
  { valueStart, valueEnd }: ProviderMember,
  reported: ProviderMember | undefined,
  { redaction }: Disguise,
): boolean {
  const value = json.toString('utf8', valueStart, valueEnd)
  if (redaction.withoutNames(value) !== value) return true
  if (!reported || json[valueStart] !== QUOTE || value === '""') return false
  return json.compare(json, valueStart, valueEnd, reported.valueStart, reported.valueEnd) === 0
}

/** Null if nothing in the error has to be redacted. */
function redactedError(json: Buffer, { valueStart, valueEnd }: ProviderMember, { redaction }: Disguise): string | null {
  const first = json[valueStart]
  if (first !== QUOTE && first !== OPEN_BRACE && first !== OPEN_BRACKET) return null
  const value = json.toString('utf8', valueStart, valueEnd)
  if (!value.includes('\\') && !PROVIDER_NAMES.test(value) && redaction.forCallers(value) === value) return null
  try {
    let isRedacted = false
    const redacted = JSON.stringify(JSON.parse(value), (name, part: unknown) => {
      if (PROVIDER_NAME.test(name)) {
        isRedacted = true
        return undefined
      }
      if (typeof part !== 'string') return part
      const shown = redaction.forCallers(part)
      isRedacted ||= shown !== part
      return shown
    })
    return isRedacted ? redacted : null
  } catch {
    return UNREAD_ERROR
  }
}

/** Edits of the payload as edits of the raw bytes. Both the edits and the data lines are in ascending order. */
function inRaw({ dataLines }: SseEvent, edits: readonly ByteEdit[]): readonly ByteEdit[] {
  let line = 0
  /** Where the payload of the current line begins. */
  let lineOffset = 0
  const rawOffset = (offset: number): number => {
    for (;;) {
      const { start, end } = dataLines[line] as DataLine
      if (offset - lineOffset <= end - start) return start + offset - lineOffset
      lineOffset += end - start + 1
      line++
    }
  }
  return edits.map(({ start, end, text }) => ({ start: rawOffset(start), end: rawOffset(end), text }))
}
