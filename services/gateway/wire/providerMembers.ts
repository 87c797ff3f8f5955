import { endOfNested, endOfValue, skipSpace, stringEnd } from './jsonMembers.ts'

const QUOTE = 0x22
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LETTER_E = 0x65
const LETTER_M = 0x6d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** A member in which a provider may name itself or its model. */
export type ProviderMember = {
  readonly name: 'model' | 'error'
  /** 1 for a member of the outermost object. */
  readonly depth: number
  /** Whether it is the place where the API names the model: of the answer itself, or of the answer within an event. */
  readonly isReported: boolean
  readonly valueStart: number
  readonly valueEnd: number
}

type NamesByLength = readonly (readonly Buffer[] | undefined)[]

/** What a model or its caller has written, in the formats of all APIs; nothing in it is looked at. */
const CONTENT = namesByLength([
  ...['content', 'text', 'parts', 'tool_calls', 'function_call', 'function', 'arguments', 'input', 'output', 'parsed'],
  ...['reasoning', 'reasoning_content', 'reasoning_details', 'thinking', 'refusal', 'audio', 'images', 'annotations'],
  ...['citations', 'logprobs', 'embedding'],
  // Repeated from the request by Responses, as are `input` and `text`.
  ...['instructions', 'tools'],
])
/** Events of Responses and Messages contain the answer, or its beginning, as a member of this name. */
const ANSWERS = namesByLength(['response', 'message'])
const MODEL = Buffer.from('model')
const ERROR = Buffer.from('error')
const NAME_BYTES = MODEL.length
const ESCAPED_NAME_BYTES_MAX = NAME_BYTES * '\\u0000'.length

function namesByLength(names: readonly string[]): NamesByLength {
  return Array.from({ length: 32 }, (_, length) => {
    const some = names.filter((name) => name.length === length).map((name) => Buffer.from(name))
    return some.length > 0 ? some : undefined
  })
}

/**
 * The members named `model` or `error` of a provider's JSON, at any depth outside the content; found in one pass over
 * the bytes, which are not parsed. On bytes that are not JSON the list means nothing, but the walk ends and never throws.
 */
export function providerMembers(json: Buffer): ProviderMember[] {
  const found: ProviderMember[] = []
  const length = json.length
  let depth = 0
  /** The walk is within the answer that an event contains. */
  let isInAnswer = false
  let at = 0
  while (at < length) {
    const byte = json[at]
    if (byte !== QUOTE) {
      at++
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 1) isInAnswer = false
      continue
    }
    const keyStart = at
    at = stringEnd(json, at)
    const colon = json[at] === COLON ? at : skipSpace(json, at)
    if (json[colon] !== COLON) continue
    const valueStart = Math.min(length, skipSpace(json, colon + 1))
    const name = nameOf(json, keyStart, at)
    const first = json[valueStart]
    if (name !== null) {
      const valueEnd = endOfValue(json, valueStart)
      found.push({ name, depth, isReported: depth === 1 || (depth === 2 && isInAnswer), valueStart, valueEnd })
      at = valueEnd
    } else if (first === QUOTE) {
      at = stringEnd(json, valueStart)
    } else if ((first === OPEN_BRACE || first === OPEN_BRACKET) && isContent(json, keyStart, at)) {
      at = endOfNested(json, valueStart)
    } else {
      if (depth === 1 && first === OPEN_BRACE) isInAnswer = isNamed(json, keyStart, at, ANSWERS)
      at = valueStart
    }
  }
  return found
}

function nameOf(json: Buffer, keyStart: number, keyEnd: number): ProviderMember['name'] | null {
  const first = json[keyStart + 1]
  if (first !== LETTER_M && first !== LETTER_E && first !== BACKSLASH) return null
  const bytes = keyEnd - keyStart - 2
  if (bytes < NAME_BYTES || bytes > ESCAPED_NAME_BYTES_MAX) return null
  if (bytes > NAME_BYTES) return escapedName(json, keyStart, keyEnd)
  if (hasBytes(json, keyStart + 1, MODEL)) return 'model'
  return hasBytes(json, keyStart + 1, ERROR) ? 'error' : null
}

function escapedName(json: Buffer, keyStart: number, keyEnd: number): ProviderMember['name'] | null {
  for (let at = keyStart + 1; at < keyEnd; at++) {
    if (json[at] !== BACKSLASH) continue
    const name = unescaped(json.toString('utf8', keyStart, keyEnd))
    return name === 'model' || name === 'error' ? name : null
  }
  return null
}

function unescaped(key: string): unknown {
  try {
    return JSON.parse(key)
  } catch {
    return null
  }
}

function isContent(json: Buffer, keyStart: number, keyEnd: number): boolean {
  return isNamed(json, keyStart, keyEnd, CONTENT)
}

function isNamed(json: Buffer, keyStart: number, keyEnd: number, byLength: NamesByLength): boolean {
  const names = byLength[keyEnd - keyStart - 2]
  if (names === undefined) return false
  for (const name of names) if (hasBytes(json, keyStart + 1, name)) return true
  return false
}

function hasBytes(json: Buffer, start: number, expected: Buffer): boolean {
  for (let i = 0; i < expected.length; i++) {
    if (json[start + i] !== expected[i]) return false
  }
  return true
}
