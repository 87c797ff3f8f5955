import { isUtf8 } from 'node:buffer'
import { CHOICES_MAX } from '../../../../contracts/limits.ts'
import type { UnitCounts } from '../../../../domain/pricing/usage.ts'
import { TOO_DEEP_MESSAGE } from '../../../../platform/http/body/bodyReaders.ts'
import { isAbsent, isJsonObject, type JsonObject } from '../../../../platform/http/body/parseJson.ts'
import { findJsonFault } from '../json/jsonFault.ts'
import {
  type ByteEdit,
  type JsonMember,
  type JsonSpan,
  listElements,
  listMembers,
  type MemberCount,
  withEdits,
} from '../json/jsonMembers.ts'
import { repeatedMember } from '../json/repeatedMember.ts'

/** The facts read from a body. */
export type RequestFacts = {
  readonly model: string
  readonly stream: boolean
  /** The number of choices in the answer. */
  readonly n: number
  /** The number of choices that are generated, and so counted in the usage: with `best_of`, more than `n`. */
  readonly generated: number
  /** The token limit of one choice; null if the caller set none. */
  readonly maxTokens: number | null
  /** The names of all fields. */
  readonly fieldNames: readonly string[]
  /** The number of images in its messages. */
  readonly images: number
  /** The number of documents in its messages; undefined for an API without them. */
  readonly files?: number
  /** The types of tools that the provider is to run; undefined for an API without them. */
  readonly hostedTools?: readonly string[]
  /** The most calls of hosted tools that the request allows; null if it does not say. */
  readonly toolCallsMax: number | null
  /** Searches that the model may make besides; undefined if none. */
  readonly searches?: Searches | undefined
  /** Whether the answer may be spoken. */
  readonly asksForAudio: boolean
  /** The service tier that the request asks for; null if it asks for none. */
  readonly serviceTier: string | null
  /** Those of them that can be left out of the request; undefined if there are none. */
  readonly droppableTools?: DroppableTools
  /** The size of the body as the caller sent it. */
  readonly bodyBytes: number
  /** Where the model stands. */
  readonly modelAt: Pick<JsonMember, 'valueStart' | 'valueEnd'>
  /** The edit that makes a stream report its usage. */
  readonly usageEdit: ByteEdit | null
}

/** What a request with a built-in search can use. */
export type Searches = {
  readonly most: UnitCounts
  /** Charged although providers do not count it. */
  readonly certain: UnitCounts
}

/** The list `tools` of a request. */
export type DroppableTools = {
  /** The type of each tool that can be dropped, in order. A hosted tool that the request requires cannot be. */
  readonly types: readonly (string | null)[]
  readonly spans: readonly JsonSpan[]
}

export type InferenceRequest = RequestFacts & {
  /**
   * The body for the provider: with its model name and, for a stream, a request for the usage, and without what is dropped;
   * every other byte stays.
   */
  forwardedAs(providerModel: string, dropped?: readonly ByteEdit[]): Buffer
}

/** The message for the caller, which names the field. */
export type Refused = { readonly refused: string }

export type RequestFields = JsonObject

/** Checks the fields of one endpoint. Returns null, or why they are refused. */
export type FieldsCheck = (fields: RequestFields) => string | null

/** The findings in a request, and whether they are a reason to refuse it. */
export type FoundParts = Required<Pick<RequestFacts, 'images' | 'files' | 'hostedTools'>> & {
  readonly droppable: DroppableTools['types']
  readonly refused: string | null
}

/** How an endpoint differs from chat. */
export type EndpointRules = {
  /** The fields that the gateway reads or edits, which may therefore occur only once. */
  readonly reads: readonly string[]
  /** The fields that bound the tokens of one choice. A provider may read any of them. */
  readonly tokenBounds: readonly string[]
  /** The smallest value of such a field. */
  readonly tokensMin: 0 | 1
  /** A stream reports its usage only if `stream_options` ask for it. */
  readonly asksForUsage: boolean
  /** Within these fields, or within all, no member may occur twice, because the gateway looks at them at every depth. */
  readonly looksInside?: 'all' | ((name: string) => boolean)
  /** Takes fields that passed the check. */
  choices(fields: RequestFields): { readonly n: number; readonly generated: number }
  /** Takes fields that passed the check. */
  parts?(fields: RequestFields): FoundParts
  /** Takes fields that passed the check. */
  searches?(fields: RequestFields): Searches | undefined
}

export const ONE_CHOICE = { n: 1, generated: 1 }
export const READ_FIELDS = [
  ...['model', 'stream', 'stream_options', 'n', 'max_tokens', 'max_completion_tokens', 'service_tier'],
  ...['modalities', 'audio', 'web_search_options', 'search_parameters'],
]
export const CHAT_RULES: EndpointRules = {
  reads: READ_FIELDS,
  tokenBounds: ['max_tokens', 'max_completion_tokens'],
  tokensMin: 1,
  asksForUsage: true,
  choices(fields) {
    const n = (fields.n as number | null | undefined) ?? 1
    return { n, generated: n }
  },
}

const READ_STREAM_OPTIONS = ['include_usage']
const INCLUDE_USAGE = '"include_usage":true'

export function readInferenceRequest(
  body: Buffer,
  check?: FieldsCheck,
  rules: EndpointRules = CHAT_RULES,
): InferenceRequest | Refused {
  const fields = parseObject(body)
  if (typeof fields === 'string') return { refused: fields }
  const count = { members: 0 }
  const members = readMembers(body, 0, rules.reads, '', count)
  if (typeof members === 'string') return { refused: members }
  const wrong = wrongField(fields, rules) ?? check?.(fields) ?? null
  if (wrong !== null) return { refused: wrong }
  const stream = fields.stream === true
  // stream_options are checked even without a stream.
  const isEdited = rules.asksForUsage && (stream || members.has('stream_options'))
  const usageEdit = isEdited ? includeUsage(body, fields, members) : null
  if (typeof usageEdit === 'string') return { refused: usageEdit }
  const { looksInside } = rules
  const repeated = looksInside
    ? repeatedMember(body, fields, count, looksInside === 'all' ? undefined : looksInside)
    : null
  if (repeated !== null) return { refused: occursTwice(repeated) }
  const parts = rules.parts?.(fields)
  if (parts && parts.refused !== null) return { refused: parts.refused }

  const modelAt = members.get('model')
  if (modelAt === undefined) throw new Error("The parser and the walk over the bytes disagree about 'model'")
  const { n, generated } = rules.choices(fields)
  const facts = {
    model: fields.model as string,
    stream,
    n,
    generated,
    maxTokens: largest(fields, rules.tokenBounds),
    fieldNames: Object.keys(fields),
    toolCallsMax: countIn(fields.max_tool_calls),
    searches: rules.searches?.(fields),
    asksForAudio: !isAbsent(fields.modalities) || !isAbsent(fields.audio),
    serviceTier: typeof fields.service_tier === 'string' ? fields.service_tier : null,
    images: parts?.images ?? 0,
    bodyBytes: body.length,
    modelAt,
    usageEdit: stream ? usageEdit : null,
  }
  if (!parts) return inferenceRequest(facts, body)
  const { files, hostedTools, droppable: types } = parts
  const tools = types.length > 0 ? members.get('tools') : undefined
  if (tools === undefined) return inferenceRequest({ ...facts, files, hostedTools }, body)
  const droppableTools = { types, spans: listElements(body, tools.valueStart) }
  return inferenceRequest({ ...facts, files, hostedTools, droppableTools }, body)
}

/** The request whose facts were read of this body. */
export function inferenceRequest(facts: RequestFacts, body: Buffer): InferenceRequest {
  const { modelAt, usageEdit } = facts
  return {
    ...facts,
    forwardedAs(providerModel, dropped = []) {
      const edit = { start: modelAt.valueStart, end: modelAt.valueEnd, text: JSON.stringify(providerModel) }
      if (dropped.length > 0) {
        const edits = [edit, ...dropped, ...(usageEdit === null ? [] : [usageEdit])]
        return withEdits(
          body,
          edits.sort((a, b) => a.start - b.start),
        )
      }
      if (usageEdit === null) return withEdits(body, [edit])
      return withEdits(body, usageEdit.start < edit.start ? [usageEdit, edit] : [edit, usageEdit])
    },
  }
}

function parseObject(body: Buffer): RequestFields | string {
  if (body.length === 0) return 'The body is empty; send a JSON object.'
  if (!isUtf8(body)) return 'The body is not valid UTF-8.'
  const text = body.toString()
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    const fault = findJsonFault(text)
    if (fault === null) return 'The body is not valid JSON.'
    const what = fault.endsEarly ? 'it ends too early' : 'unexpected character'
    return `The body is not valid JSON: ${what} at line ${fault.line}, column ${fault.column}.`
  }
  return isJsonObject(parsed) ? parsed : 'The body must be a JSON object.'
}

/**
 * The members that the gateway reads, each at most once. Of two members a provider might read the other one, or (as Go's
 * parser does) one in another case, and so run another model than the one that was admitted and charged.
 */
function readMembers(
  body: Buffer,
  start: number,
  names: readonly string[],
  path: string,
  count?: MemberCount,
): Map<string, JsonMember> | string {
  const found = new Map<string, JsonMember>()
  const members = listMembers(body, start, count)
  if (members === null) return TOO_DEEP_MESSAGE
  for (const member of members) {
    const { name } = member
    if (names.includes(name)) {
      if (found.has(name)) return occursTwice(path + name)
      found.set(name, member)
    } else {
      const meant = fieldMeant(name, names)
      if (meant !== null) return `'${path}${meant}' is written in another case; write it exactly so.`
    }
  }
  return found
}

/** Names in lower case. */
const SMALL_LETTERS = /^[a-z_]+$/

/** The field that a name matches only if case is ignored; null if none or if it matches exactly. */
export function fieldMeant(name: string, names: readonly string[]): string | null {
  if (SMALL_LETTERS.test(name) || names.includes(name)) return null
  return names.find((each) => each.length === name.length && each === name.toUpperCase().toLowerCase()) ?? null
}

function occursTwice(path: string): string {
  return `'${path}' occurs more than once; send it once.`
}

function wrongField(fields: RequestFields, { tokenBounds, tokensMin, asksForUsage }: EndpointRules): string | null {
  const { model, stream } = fields
  if (model === undefined) return "'model' is missing."
  if (typeof model !== 'string') return "'model' must be a string."
  if (!isAbsent(stream) && typeof stream !== 'boolean') return "'stream' must be a boolean."
  const wrong = asksForUsage ? wrongOptions(fields) : null
  if (wrong !== null) return wrong
  for (const name of tokenBounds) {
    if (isAbsent(fields[name]) || isInteger(fields[name], tokensMin)) continue
    return `'${name}' must be ${tokensMin === 0 ? 'an integer of 0 or more' : 'a positive integer'}.`
  }
  return null
}

/** Fields that only the chat-completion APIs have. */
function wrongOptions({ stream_options: streamOptions, n }: RequestFields): string | null {
  if (!isAbsent(streamOptions) && !isJsonObject(streamOptions)) return "'stream_options' must be an object."
  if (isAbsent(n)) return null
  if (!isInteger(n, 1)) return "'n' must be a positive integer."
  return n > CHOICES_MAX ? `'n' must be at most ${CHOICES_MAX}.` : null
}

function countIn(value: unknown): number | null {
  return isInteger(value, 0) ? value : null
}

function isInteger(value: unknown, min: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= min
}

/** Of chat and Messages. */
export function wrongMessages({ messages }: RequestFields): string | null {
  if (messages === undefined) return "'messages' is missing."
  if (!Array.isArray(messages)) return "'messages' must be an array."
  if (messages.length === 0) return "'messages' must not be empty."
  for (let position = 0; position < messages.length; position++) {
    const message: unknown = messages[position]
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      return `'messages[${position}]' must be an object.`
    }
    const { role, content } = message as RequestFields
    if (typeof role !== 'string') return `'messages[${position}].role' must be a string.`
    // A message that only calls tools has no content.
    if (content !== undefined && content !== null && typeof content !== 'string' && !Array.isArray(content)) {
      return `'messages[${position}].content' must be a string, an array or null.`
    }
  }
  return null
}

/** Returns the edit that makes a stream report its usage, or why the body is refused. */
function includeUsage(body: Buffer, fields: RequestFields, members: Map<string, JsonMember>): ByteEdit | string {
  const options = members.get('stream_options')
  if (options === undefined) {
    const end = body.lastIndexOf('}')
    return { start: end, end, text: `,"stream_options":{${INCLUDE_USAGE}}` }
  }
  if (!isJsonObject(fields.stream_options)) {
    return { start: options.valueStart, end: options.valueEnd, text: `{${INCLUDE_USAGE}}` }
  }
  const inside = readMembers(body, options.valueStart, READ_STREAM_OPTIONS, 'stream_options.')
  if (typeof inside === 'string') return inside
  const present = inside.get('include_usage')
  if (present !== undefined) return { start: present.valueStart, end: present.valueEnd, text: 'true' }
  const first = options.valueStart + 1
  const isEmpty = Object.keys(fields.stream_options).length === 0
  return { start: first, end: first, text: isEmpty ? INCLUDE_USAGE : `${INCLUDE_USAGE},` }
}

function largest(fields: RequestFields, names: readonly string[]): number | null {
  let bound: number | null = null
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'number' && (bound === null || value > bound)) bound = value
  }
  return bound
}
