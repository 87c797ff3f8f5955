import { endOfNested, endOfValue, skipSpace, stringEnd } from '../json/jsonMembers.ts'

const QUOTE = 0x22
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
/** The bit that distinguishes upper and lower case. */
const CASE_BIT = 0x20

type MemberName = 'model' | 'error' | 'dropped'

/** A member in which a provider may name itself or its model. */
export type ProviderMember = {
  /** `dropped`: it names the provider or what it charges us, and no client needs it. */
  readonly name: MemberName
  /** 1 for a member of the outermost object. */
  readonly depth: number
  /** Whether it is the place where the API names the model: of the answer itself, or of the answer within an event. */
  readonly isReported: boolean
  readonly keyStart: number
  readonly valueStart: number
  readonly valueEnd: number
}

type NamesByLength = readonly (readonly Buffer[] | undefined)[]

/** The content of a model or its caller, in the formats of all APIs; it is never inspected. */
const CONTENT = namesByLength([
  ...['content', 'text', 'parts', 'tool_calls', 'function_call', 'function', 'arguments', 'input', 'output', 'parsed'],
  ...['reasoning', 'reasoning_content', 'reasoning_details', 'thinking', 'refusal', 'audio', 'images', 'annotations'],
  ...['citations', 'logprobs', 'embedding'],
  // Repeated from the request by Responses, as are `input` and `text`.
  ...['instructions', 'tools'],
])
/** Events of Responses and Messages contain the answer, or its beginning, as a member of this name. */
const ANSWERS = namesByLength(['response', 'message'])
/** Lists of the parts of an answer. */
const LISTS = namesByLength(['choices', 'data'])
const USAGE = namesByLength(['usage'])

/**
 * Members that are dropped from an answer, its choices and its usage: the API defines none of them as required. Elsewhere
 * the names mean something else, such as in the caller's own metadata.
 */
const DROPPED = [
  ...['provider', 'provider_name', 'system_fingerprint', 'billing', 'cost', 'cost_details', 'response_cost', 'is_byok'],
  ...['organization', 'organization_id', 'org_id', 'x_groq'],
  ...['amazon-bedrock-invocationmetrics', 'amazon-bedrock-guardrailaction'],
]
/** Part of the name of further members of a usage block that are dropped: what the provider charges us. */
const COST = Buffer.from('cost')

/** In lower case, because some clients match names case-insensitively. */
const NAMES: ReadonlyMap<string, MemberName> = new Map<string, MemberName>([
  ['model', 'model'],
  ['error', 'error'],
  ...DROPPED.map((name) => [name, 'dropped'] as const),
])
const NAME_LENGTHS = [...NAMES.keys()].map(({ length }) => length)
const NAME_BYTES_MAX = Math.max(...NAME_LENGTHS)
/** The bytes of an escaped letter. */
const ESCAPE_BYTES = '\\u0000'.length
const ESCAPED_NAME_BYTES_MIN = Math.min(...NAME_LENGTHS) - 1 + ESCAPE_BYTES
const ESCAPED_NAME_BYTES_MAX = NAME_BYTES_MAX * ESCAPE_BYTES
/** The bits that upper and lower case share. */
const LETTER_BITS = 0x1f
/** By length and first letter, so that one lookup rules out nearly every other name. */
const NAMES_BY_START: ({ readonly bytes: Buffer; readonly name: MemberName }[] | undefined)[] = []
for (const [text, name] of NAMES) {
  const start = startOf(text.length, text.charCodeAt(0))
  NAMES_BY_START[start] = [...(NAMES_BY_START[start] ?? []), { bytes: Buffer.from(text), name }]
}
for (let start = 0; start < startOf(NAME_BYTES_MAX + 1, 0); start++) NAMES_BY_START[start] ??= undefined

function startOf(bytes: number, first: number): number {
  return bytes * (LETTER_BITS + 1) + (first & LETTER_BITS)
}

function namesByLength(names: readonly string[]): NamesByLength {
  return Array.from({ length: 32 }, (_, length) => {
    const some = names.filter((name) => name.length === length).map((name) => Buffer.from(name))
    return some.length > 0 ? some : undefined
  })
}

/**
 * The members named `model` or `error` of a provider's JSON, at any depth outside the content, and those that are to be
 * dropped; found in one pass over the bytes, which are not parsed. On bytes that are not JSON the list means nothing,
 * but the walk ends and never throws.
 */
export function providerMembers(json: Buffer): ProviderMember[] {
  const found: ProviderMember[] = []
  const length = json.length
  let depth = 0
  /** The walk is within the answer that an event contains. */
  let isInAnswer = false
  /** The walk is within a list of choices. */
  let isInList = false
  /** The depth of the members of the usage block that the walk is within. */
  let usageDepth = Number.POSITIVE_INFINITY
  let at = 0
  while (at < length) {
    const byte = json[at]
    if (byte !== QUOTE) {
      at++
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (--depth < usageDepth) usageDepth = Number.POSITIVE_INFINITY
        if (depth === 1) isInAnswer = isInList = false
      }
      continue
    }
    const keyStart = at
    at = stringEnd(json, at)
    const colon = json[at] === COLON ? at : skipSpace(json, at)
    if (json[colon] !== COLON) continue
    const valueStart = Math.min(length, skipSpace(json, colon + 1))
    const first = json[valueStart]
    const isReported = depth === 1 || (depth === 2 && isInAnswer)
    const isOwn = isReported || (depth === 3 && isInList)
    const isInUsage = depth >= usageDepth
    let name = nameOf(json, keyStart, at)
    if (name === 'dropped' && !isOwn && !isInUsage) name = null
    else if (name === null && isInUsage && isCost(json, keyStart, at)) name = 'dropped'
    if (name !== null) {
      const valueEnd = endOfValue(json, valueStart)
      found.push({ name, depth, isReported, keyStart, valueStart, valueEnd })
      at = valueEnd
    } else if (first === QUOTE) {
      at = stringEnd(json, valueStart)
    } else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      if (isNamed(json, keyStart, at, CONTENT)) {
        at = endOfNested(json, valueStart)
        continue
      }
      if (depth === 1) {
        isInAnswer = first === OPEN_BRACE && isNamed(json, keyStart, at, ANSWERS)
        isInList = first === OPEN_BRACKET && isNamed(json, keyStart, at, LISTS)
      }
      if (isOwn && isNamed(json, keyStart, at, USAGE)) usageDepth = depth + 1
      at = valueStart
    } else {
      at = valueStart
    }
  }
  return found
}

/** The meaning of a name, ignoring case and escapes. */
function nameOf(json: Buffer, keyStart: number, keyEnd: number): MemberName | null {
  const bytes = keyEnd - keyStart - 2
  const names = bytes <= NAME_BYTES_MAX ? NAMES_BY_START[startOf(bytes, json[keyStart + 1] as number)] : undefined
  if (names !== undefined) {
    for (const each of names) if (hasLetters(json, keyStart + 1, each.bytes)) return each.name
  }
  if (bytes < ESCAPED_NAME_BYTES_MIN || bytes > ESCAPED_NAME_BYTES_MAX) return null
  return escapedName(json, keyStart, keyEnd)
}

function escapedName(json: Buffer, keyStart: number, keyEnd: number): MemberName | null {
  for (let at = keyStart + 1; at < keyEnd; at++) {
    if (json[at] !== BACKSLASH) continue
    const name = unescaped(json.toString('utf8', keyStart, keyEnd))
    return typeof name === 'string' ? (NAMES.get(name.toLowerCase()) ?? null) : null
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

function isCost(json: Buffer, keyStart: number, keyEnd: number): boolean {
  for (let at = keyStart + 1; at < keyEnd - COST.length; at++) {
    if (((json[at] as number) | CASE_BIT) === COST[0] && hasLetters(json, at, COST)) return true
  }
  return false
}

/** Like hasBytes, ignoring case. */
function hasLetters(json: Buffer, start: number, expected: Buffer): boolean {
  for (let i = 0; i < expected.length; i++) {
    const byte = json[start + i] as number
    if (byte !== expected[i] && (byte | CASE_BIT) !== expected[i]) return false
  }
  return true
}
