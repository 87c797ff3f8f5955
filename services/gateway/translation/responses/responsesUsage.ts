import type { JsonObject } from '../../../../platform/http/body/parseJson.ts'
import { readResponsesUsage as reportedUsage } from '../../wire/usage/responsesUsage.ts'
import type { AnswerUsage } from '../conversation/answer.ts'
import { answerUsage } from '../conversation/answerFields.ts'

export function readResponsesUsage(response: JsonObject): AnswerUsage {
  return answerUsage(reportedUsage(response))
}

/** This API has no form for a count that was not reported, and clients read the details without a check. */
export function responsesUsage({ tokensIn, tokensOut, tokensCached, tokensCacheWrite, tokensReasoning }: AnswerUsage) {
  return {
    input_tokens: tokensIn,
    input_tokens_details: { cached_tokens: tokensCached ?? 0, cache_write_tokens: tokensCacheWrite ?? 0 },
    output_tokens: tokensOut,
    output_tokens_details: { reasoning_tokens: tokensReasoning ?? 0 },
    total_tokens: tokensIn + tokensOut,
  }
}
