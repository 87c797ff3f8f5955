import type { JsonObject } from '../../../../platform/http/body/parseJson.ts'
import { readMessagesUsage as reportedUsage } from '../../wire/usage/messagesUsage.ts'
import type { AnswerUsage } from '../conversation/answer.ts'
import { answerUsage } from '../conversation/answerFields.ts'

export function readMessagesUsage(message: JsonObject): AnswerUsage {
  return answerUsage(reportedUsage(message))
}

/** Here `input_tokens` are those that were neither read from a cache nor written to one. */
export function messagesUsage(usage: AnswerUsage): object {
  const { tokensIn, tokensOut, tokensCached, tokensCacheWrite, tokensReasoning } = usage
  return {
    input_tokens: tokensIn - (tokensCached ?? 0) - (tokensCacheWrite ?? 0),
    cache_creation_input_tokens: tokensCacheWrite,
    cache_read_input_tokens: tokensCached,
    output_tokens: tokensOut,
    ...(tokensReasoning === null ? {} : { output_tokens_details: { thinking_tokens: tokensReasoning } }),
  }
}

const TIERS: ReadonlySet<unknown> = new Set(['standard', 'priority', 'batch'])

export function messagesTier(tier: string | null): { service_tier?: string } {
  return tier !== null && TIERS.has(tier) ? { service_tier: tier } : {}
}
