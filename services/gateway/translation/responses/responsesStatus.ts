import { isJsonObject, type JsonObject } from '../../../../platform/http/body/parseJson.ts'
import { tierOf } from '../chat/readChatAnswer.ts'
import { type AnswerEnd, brokenAnswer, type StopReason, untranslatable } from '../conversation/answer.ts'
import { providerError, textIn } from '../conversation/answerFields.ts'
import { readResponsesUsage } from './responsesUsage.ts'

const INCOMPLETE: Readonly<Record<string, StopReason>> = {
  max_output_tokens: 'maxTokens',
  content_filter: 'contentFilter',
}

/** How a response ended. `hasCalls`: the model waits for the results of tools, which this API does not say otherwise. */
export function endOf(response: JsonObject, hasCalls: boolean): AnswerEnd {
  const stop = stopOf(response, hasCalls)
  return { stop, stopSequence: null, usage: readResponsesUsage(response), serviceTier: tierOf(response) }
}

function stopOf(response: JsonObject, hasCalls: boolean): StopReason {
  const status = textIn(response, 'status')
  switch (status) {
    case 'completed':
      return hasCalls ? 'toolCalls' : 'end'
    case 'incomplete': {
      const details = response.incomplete_details
      const reason = isJsonObject(details) ? textIn(details, 'reason') : ''
      const stop = Object.hasOwn(INCOMPLETE, reason) ? INCOMPLETE[reason] : undefined
      if (stop === undefined) throw untranslatable('a response is incomplete for a reason that has no translation')
      return stop
    }
    case 'failed':
    case 'cancelled':
      throw providerError(response.error)
    default:
      throw brokenAnswer('a response that has not ended')
  }
}

/** The status of a response, and why it is incomplete if it is. */
export function statusFor(stop: StopReason): { status: string; incomplete_details: object | null } {
  switch (stop) {
    case 'maxTokens':
    case 'contextWindow':
      return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    case 'contentFilter':
      return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
    default:
      return { status: 'completed', incomplete_details: null }
  }
}
