import { isJsonObject, type JsonObject } from '../../../../platform/http/body/parseJson.ts'
import { type Answer, type AnswerPart, brokenAnswer, untranslatable } from '../conversation/answer.ts'
import { hasError, objectsIn, providerError, textIfAny, textIn, unknownMembers } from '../conversation/answerFields.ts'
import type { Dropped } from '../conversation/dropped.ts'
import { type ReasoningState, SUMMARIES_MAX, SUMMARY_BREAK } from '../conversation/reasoningState.ts'
import { endOf } from './responsesStatus.ts'

const KNOWN_OF_PART: ReadonlySet<string> = new Set(['type', 'text', 'refusal'])

/** A whole response. Throws AnswerFailed. */
export function readResponsesAnswer(json: unknown, dropped: Dropped): Answer {
  if (!isJsonObject(json)) throw brokenAnswer('the answer is not an object')
  if (hasError(json)) throw providerError(json.error)
  const parts = objectsIn(json, 'output').flatMap((item) => readItem(item, dropped))
  return {
    parts,
    ...endOf(
      json,
      parts.some(({ type }) => type === 'toolCall'),
    ),
  }
}

function readItem(item: JsonObject, dropped: Dropped): AnswerPart[] {
  switch (textIn(item, 'type')) {
    case 'message':
      return objectsIn(item, 'content').map((part) => readPart(part, dropped))
    case 'function_call': {
      const call = { type: 'toolCall', id: textIn(item, 'call_id'), name: textIn(item, 'name') } as const
      return [{ ...call, arguments: textIn(item, 'arguments') || '{}' }]
    }
    case 'reasoning':
      return [{ type: 'reasoning', ...reasoningIn(item) }]
    default:
      throw untranslatable('an item of a type that has no translation')
  }
}

export function readPart(part: JsonObject, dropped: Dropped): { type: 'text' | 'refusal'; text: string } {
  dropped.add(...unknownMembers(part, KNOWN_OF_PART).map((name) => `content.${name}`))
  switch (textIn(part, 'type')) {
    case 'output_text':
      return { type: 'text', text: textIn(part, 'text') }
    case 'refusal':
      return { type: 'refusal', text: textIn(part, 'refusal') }
    default:
      throw untranslatable('content of a type that has no translation')
  }
}

/** Models that show their thoughts have them in `content`, others only summaries. */
export function thoughtsIn(item: JsonObject): string[] {
  const summaries = objectsIn(item, 'summary').map((summary) => textIn(summary, 'text'))
  return summaries.length > 0 ? summaries : objectsIn(item, 'content').map((thought) => textIn(thought, 'text'))
}

function reasoningIn(item: JsonObject): { text: string; state: ReasoningState } {
  const texts = thoughtsIn(item)
  const lengths = texts.map(({ length }) => length)
  return { text: texts.join(SUMMARY_BREAK), state: reasoningStateOf(item, lengths) }
}

/** The state of a reasoning item, whose texts have these lengths. */
export function reasoningStateOf(item: JsonObject, lengths: readonly number[]): ReasoningState {
  const signature = textIfAny(item, 'encrypted_content')
  const id = textIfAny(item, 'id')
  return {
    origin: 'responses',
    ...(signature === null ? {} : { signature }),
    ...(id === null ? {} : { id }),
    ...(lengths.length > 1 && lengths.length <= SUMMARIES_MAX ? { cuts: lengths } : {}),
  }
}
