import { isJsonObject, type JsonObject } from '../../../../platform/http/body/parseJson.ts'
import { type Answer, type AnswerPart, brokenAnswer, untranslatable } from '../conversation/answer.ts'
import {
  hasError,
  objectIn,
  objectsIn,
  providerError,
  textIfAny,
  textIn,
  unknownMembers,
} from '../conversation/answerFields.ts'
import type { Dropped } from '../conversation/dropped.ts'
import { stopOfMessages } from './messagesStops.ts'
import { readMessagesUsage } from './messagesUsage.ts'

const KNOWN: ReadonlySet<string> = new Set([
  'type',
  'text',
  'thinking',
  'signature',
  'data',
  'id',
  'name',
  'input',
  'caller',
])

/** A whole message. Throws AnswerFailed. */
export function readMessagesAnswer(json: unknown, dropped: Dropped): Answer {
  if (!isJsonObject(json)) throw brokenAnswer('the answer is not an object')
  if (hasError(json)) throw providerError(json.error)
  return {
    parts: objectsIn(json, 'content').map((block) => readBlock(block, dropped)),
    stop: stopOfMessages(textIn(json, 'stop_reason')),
    stopSequence: textIfAny(json, 'stop_sequence'),
    usage: readMessagesUsage(json),
    serviceTier: tierIn(json),
  }
}

export function tierIn(message: JsonObject): string | null {
  return isJsonObject(message.usage) ? textIfAny(message.usage, 'service_tier') : null
}

function readBlock(block: JsonObject, dropped: Dropped): AnswerPart {
  dropped.add(...unknownMembers(block, KNOWN).map((name) => `content.${name}`))
  const type = textIn(block, 'type')
  switch (type) {
    case 'text':
      return { type, text: textIn(block, 'text') }
    case 'thinking': {
      const signature = textIfAny(block, 'signature')
      const state = { origin: 'messages', ...(signature === null ? {} : { signature }) } as const
      return { type: 'reasoning', text: textIn(block, 'thinking'), state }
    }
    case 'redacted_thinking':
      return { type: 'reasoning', text: '', state: redactedState(block) }
    case 'tool_use': {
      const text = JSON.stringify(objectIn(block, 'input'))
      return { type: 'toolCall', id: textIn(block, 'id'), name: textIn(block, 'name'), arguments: text }
    }
    default:
      throw untranslatable('a content block of a type that has no translation')
  }
}

export function redactedState(block: JsonObject) {
  return { origin: 'messages', signature: textIn(block, 'data'), isRedacted: true } as const
}
