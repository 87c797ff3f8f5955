import { isAbsent, type JsonObject, jsonObjectIn } from '../../../../platform/http/body/parseJson.ts'
import { faultIn, type ProviderFault } from '../answers/providerFault.ts'
import { readChatUsage } from '../usage/chatUsage.ts'
import type { ReportedUsage } from '../usage/usageShape.ts'

export type StreamChunk =
  | { readonly kind: 'done' }
  /** Not a JSON object. */
  | { readonly kind: 'invalid' }
  | {
      readonly kind: 'chunk'
      /** The indices of the choices that this chunk has something of. */
      readonly choices: readonly number[]
      /** The indices of those that it gives a finish_reason. */
      readonly finishedChoices: readonly number[]
      readonly usage: ReportedUsage | null
      /** About how many characters the chunk delivers, to estimate the tokens of a stream without a usage block. */
      readonly deliveredChars: number
      /** The provider reports an error in place of a chunk. */
      readonly error: boolean
      readonly fault?: ProviderFault | null | undefined
    }

const NONE: readonly number[] = []
const DONE: StreamChunk = { kind: 'done' }
const INVALID: StreamChunk = { kind: 'invalid' }
/** `[DONE]` with room for stray spaces: a longer payload is not even compared. */
const DONE_BYTES_MAX = 16

export function isDone(data: Buffer): boolean {
  return data.length <= DONE_BYTES_MAX && data.toString('latin1').trim() === '[DONE]'
}

/** Reads the data of one event of a streamed chat or legacy completion. */
export function readStreamChunk(data: Buffer, isNamedError = false): StreamChunk {
  if (isDone(data)) return DONE
  const payload = jsonObjectIn(data)
  if (payload === null) return INVALID

  const choices: number[] = []
  let finishedChoices = NONE as number[]
  let deliveredChars = 0
  const sent = Array.isArray(payload.choices) ? payload.choices : NONE
  for (let position = 0; position < sent.length; position++) {
    const choice: unknown = sent[position]
    if (!isObject(choice)) continue
    const index = Number.isSafeInteger(choice.index) ? (choice.index as number) : position
    choices.push(index)
    deliveredChars += charsOf(choice.text) + charsOfDelta(choice.delta)
    if (isFinish(choice.finish_reason)) {
      // Nearly every chunk finishes no choice and needs no list of its own.
      if (finishedChoices === NONE) finishedChoices = [index]
      else finishedChoices.push(index)
    }
  }
  const error = isNamedError || !isAbsent(payload.error)
  return {
    kind: 'chunk',
    choices,
    finishedChoices,
    usage: readChatUsage(payload),
    deliveredChars,
    error,
    fault: error ? faultIn(payload.error, payload) : undefined,
  }
}

/** Some providers write an empty string for null; counted as a finish, it would hold back the whole stream. */
function isFinish(reason: unknown): boolean {
  return reason !== undefined && reason !== null && reason !== ''
}

/** Content, refusals and reasoning, whatever the provider calls it, are strings of the delta; the role is not output. */
function charsOfDelta(delta: unknown): number {
  if (!isObject(delta)) return 0
  let chars = charsOfCall(delta.function_call)
  for (const name in delta) {
    if (name !== 'role') chars += charsOf(delta[name])
  }
  if (Array.isArray(delta.tool_calls)) {
    for (const call of delta.tool_calls) chars += isObject(call) ? charsOfCall(call.function) : 0
  }
  return chars
}

function charsOfCall(call: unknown): number {
  return isObject(call) ? charsOf(call.name) + charsOf(call.arguments) : 0
}

function charsOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}
