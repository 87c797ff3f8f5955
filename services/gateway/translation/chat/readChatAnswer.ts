import { isJsonObject, type JsonObject } from '../../../../platform/http/body/parseJson.ts'
import { type Answer, type AnswerPart, brokenAnswer, untranslatable } from '../conversation/answer.ts'
import {
  hasError,
  objectIfAny,
  objectIn,
  objectsIn,
  providerError,
  textIfAny,
  textIn,
  unknownMembers,
} from '../conversation/answerFields.ts'
import type { Dropped } from '../conversation/dropped.ts'
import { stopOfChat } from './chatStops.ts'
import { readChatUsage } from './chatUsage.ts'

/** Members of a message or a delta that are read, or say nothing about the answer. */
export const KNOWN_MEMBERS: ReadonlySet<string> = new Set([
  ...['role', 'content', 'refusal', 'tool_calls', 'function_call'],
  ...['reasoning_content', 'reasoning', 'reasoning_opaque'],
])

/** A whole answer of chat completions. Throws AnswerFailed. */
export function readChatAnswer(json: unknown, dropped: Dropped): Answer {
  if (!isJsonObject(json)) throw brokenAnswer('the answer is not an object')
  if (hasError(json)) throw providerError(json.error)
  const [choice, ...others] = objectsIn(json, 'choices')
  if (choice === undefined || others.length > 0) throw brokenAnswer('the answer has not one choice')
  const message = objectIn(choice, 'message')
  if (objectIfAny(message, 'function_call') !== null) throw untranslatable('the answer has a function_call')
  dropped.add(...unknownMembers(message, KNOWN_MEMBERS).map((name) => `message.${name}`))
  const parts = partsOf(message)
  const hasCalls = parts.some(({ type }) => type === 'toolCall')
  return {
    parts,
    stop: stopOfChat(textIn(choice, 'finish_reason'), hasCalls),
    stopSequence: null,
    usage: readChatUsage(json),
    serviceTier: tierOf(json),
  }
}

/** What the answer says about its tier, in no API's own terms. */
export function tierOf(json: JsonObject): string | null {
  const tier = textIfAny(json, 'service_tier')
  return tier === 'default' ? 'standard' : tier
}

/** Reasoning comes before the text, and the text before the calls; chat has no order of its own. */
function partsOf(message: JsonObject): AnswerPart[] {
  const parts: AnswerPart[] = []
  const thoughts = reasoningIn(message)
  if (thoughts !== '') parts.push({ type: 'reasoning', text: thoughts, state: { origin: 'chat' } })
  const text = textIfAny(message, 'content') ?? ''
  if (text !== '') parts.push({ type: 'text', text })
  const refusal = textIfAny(message, 'refusal') ?? ''
  if (refusal !== '') parts.push({ type: 'refusal', text: refusal })
  for (const call of objectsIn(message, 'tool_calls')) {
    const named = objectIn(call, 'function')
    const id = textIn(call, 'id')
    parts.push({ type: 'toolCall', id, name: textIn(named, 'name'), arguments: textIfAny(named, 'arguments') || '{}' })
  }
  const opaque = textIfAny(message, 'reasoning_opaque') ?? ''
  if (opaque !== '') parts.push({ type: 'reasoning', text: '', state: { origin: 'chat', signature: opaque } })
  return parts
}

/** Providers have either name for it, or both with the same text. */
export function reasoningIn(message: JsonObject): string {
  return textIfAny(message, 'reasoning_content') || textIfAny(message, 'reasoning') || ''
}
