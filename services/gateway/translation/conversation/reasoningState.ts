import { isJsonObject } from '../../../../platform/http/body/parseJson.ts'

/** The APIs that a call can be translated between. */
export const TRANSLATED_WIRES = ['chat', 'responses', 'messages'] as const
export type TranslatedWire = (typeof TRANSLATED_WIRES)[number]

/**
 * What a provider must get back with its reasoning in the next turn. Only a provider of the API it came from can use it.
 */
export type ReasoningState = {
  readonly origin: TranslatedWire
  /** `signature` of Messages, `encrypted_content` of Responses, `reasoning_opaque` of chat. */
  readonly signature?: string
  /** The signature is the `data` of a `redacted_thinking` block. */
  readonly isRedacted?: true
  /** The id of a reasoning item. */
  readonly id?: string
  /** Responses has a list of summaries; these are their lengths, for the text is all of them. */
  readonly cuts?: readonly number[]
}

/** Stands between the summaries of one reasoning item. */
export const SUMMARY_BREAK = '\n\n'
/** Marks what this gateway wrote into an opaque field of a caller's API. No provider's own value begins so. */
const SEAL = 'tg1.'
/** Summaries of one reasoning item. */
export const SUMMARIES_MAX = 1_000

export function isSealed(text: string): boolean {
  return text.startsWith(SEAL)
}

/** JSON as one opaque text, for a field that callers send back as they got it. */
export function sealed(json: unknown): string {
  return SEAL + Buffer.from(JSON.stringify(json)).toString('base64url')
}

/** Undefined if the text is not what `sealed` made; callers can send anything. */
export function unsealed(text: string): unknown {
  if (!isSealed(text)) return undefined
  try {
    return JSON.parse(Buffer.from(text.slice(SEAL.length), 'base64url').toString())
  } catch {
    return undefined
  }
}

/** The state in an opaque field of the API `own`: a signature of that API itself, or another one's that was sealed. */
export function stateIn(signature: string, own: ReasoningState): ReasoningState | null {
  return isSealed(signature) ? checkedState(unsealed(signature)) : { ...own, signature }
}

/** The text for the opaque field of `own`. A state of the same API is written as its provider gave it. */
export function signatureFor(state: ReasoningState, own: TranslatedWire): string {
  return state.origin === own && state.signature !== undefined ? state.signature : sealed(state)
}

/** Null if it is not a state. */
export function checkedState(value: unknown): ReasoningState | null {
  if (!isJsonObject(value)) return null
  const { origin, signature, isRedacted, id, cuts, ...others } = value
  const wire = TRANSLATED_WIRES.find((name) => name === origin)
  if (wire === undefined || Object.keys(others).length > 0) return null
  if (!isTextOrAbsent(signature) || !isTextOrAbsent(id) || (isRedacted !== undefined && isRedacted !== true))
    return null
  if (cuts !== undefined && !(Array.isArray(cuts) && cuts.length <= SUMMARIES_MAX && cuts.every(isLength))) return null
  return {
    origin: wire,
    ...(signature === undefined ? {} : { signature }),
    ...(isRedacted === undefined ? {} : { isRedacted }),
    ...(id === undefined ? {} : { id }),
    ...(cuts === undefined ? {} : { cuts }),
  }
}

/** The summaries of a text that was joined of them; the text as one if it has been changed. */
export function summariesOf(text: string, cuts: readonly number[] | undefined): string[] {
  const summaries: string[] = []
  let at = 0
  for (const length of cuts ?? []) {
    if (summaries.length > 0) {
      if (!text.startsWith(SUMMARY_BREAK, at)) return [text]
      at += SUMMARY_BREAK.length
    }
    summaries.push(text.slice(at, at + length))
    at += length
  }
  if (at === text.length && (cuts?.length ?? 0) > 0) return summaries
  return text === '' ? [] : [text]
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

function isLength(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
