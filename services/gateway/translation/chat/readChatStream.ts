import { isAbsent, isJsonObject, type JsonObject } from '../../../../platform/http/body/parseJson.ts'
import {
  type AnswerEvent,
  type AnswerUsage,
  brokenAnswer,
  type StopReason,
  untranslatable,
} from '../conversation/answer.ts'
import {
  hasError,
  objectIfAny,
  objectsIn,
  providerError,
  textIfAny,
  unknownMembers,
} from '../conversation/answerFields.ts'
import type { Dropped } from '../conversation/dropped.ts'
import { OpenParts } from '../conversation/openParts.ts'
import type { StreamReader } from '../conversation/streamReader.ts'
import { createChatCalls } from './chatCalls.ts'
import { stopOfChat } from './chatStops.ts'
import { readChatUsage } from './chatUsage.ts'
import { KNOWN_MEMBERS, reasoningIn, tierOf } from './readChatAnswer.ts'

type SaidKind = 'text' | 'refusal' | 'reasoning'

/** Reads the chunks of chat completions. A chunk names no parts, so a part ends when another begins. */
export function createChatStreamReader(dropped: Dropped): StreamReader {
  const parts = new OpenParts()
  const calls = createChatCalls(parts)
  let said: { readonly kind: SaidKind; readonly part: number } | null = null
  let opaque = ''
  let stop: StopReason | null = null
  let usage: AnswerUsage | null = null
  let serviceTier: string | null = null
  let hasBegun = false
  let isOver = false

  function endSaid(): void {
    if (said !== null) parts.end(said.part, said.kind === 'reasoning' ? { origin: 'chat' } : null)
    said = null
  }

  function say(kind: SaidKind, text: string): void {
    if (text === '') return
    if (said?.kind !== kind) {
      endSaid()
      calls.pause()
      said = { kind, part: parts.begin({ kind }) }
    }
    parts.grow(said.part, text)
  }

  function readChoice(choice: JsonObject): void {
    if (!isAbsent(choice.index) && choice.index !== 0) throw brokenAnswer('a choice that was not asked for')
    const delta = objectIfAny(choice, 'delta')
    if (delta !== null) readDelta(delta)
    const reason = textIfAny(choice, 'finish_reason')
    if (reason !== null && reason !== '') stop = stopOfChat(reason, calls.begun > 0)
  }

  function readDelta(delta: JsonObject): void {
    if (objectIfAny(delta, 'function_call') !== null) throw untranslatable('the answer has a function_call')
    dropped.add(...unknownMembers(delta, KNOWN_MEMBERS).map((name) => `delta.${name}`))
    say('reasoning', reasoningIn(delta))
    say('text', textIfAny(delta, 'content') ?? '')
    say('refusal', textIfAny(delta, 'refusal') ?? '')
    opaque = textIfAny(delta, 'reasoning_opaque') || opaque
    for (const call of objectsIn(delta, 'tool_calls')) {
      endSaid()
      calls.read(call)
    }
  }

  function end(): AnswerEvent[] {
    if (isOver) return []
    if (stop === null) throw brokenAnswer('the stream ended without a finish_reason')
    if (usage === null) usage = readChatUsage({})
    endSaid()
    calls.end()
    if (opaque !== '') {
      const part = parts.begin({ kind: 'reasoning' })
      parts.end(part, { origin: 'chat', signature: opaque })
    }
    parts.push({ type: 'ends', stop, stopSequence: null, usage, serviceTier })
    isOver = true
    return parts.take()
  }

  return {
    read(chunk) {
      if (hasError(chunk)) throw providerError(chunk.error, chunk)
      if (isOver) return []
      if (!hasBegun) parts.push({ type: 'begins', serviceTier: tierOf(chunk) })
      hasBegun = true
      serviceTier = tierOf(chunk) ?? serviceTier
      if (isJsonObject(chunk.usage)) usage = readChatUsage(chunk)
      for (const choice of objectsIn(chunk, 'choices')) readChoice(choice)
      return parts.take()
    },
    done: end,
    closed: end,
  }
}
