import { inputPartsOf } from '../../../../domain/pricing/usage.ts'
import type { JsonObject } from '../../../../platform/http/body/parseJson.ts'
import { readMessagesUsage as chargedUsage } from '../../wire/answers/providerAnswer.ts'
import type { AnswerUsage } from '../conversation/answer.ts'
import { answerUsage } from '../conversation/answerFields.ts'

export function readMessagesUsage(message: JsonObject): AnswerUsage {
  return answerUsage(chargedUsage(message), message, 'output_tokens_details', 'thinking_tokens')
}

/** Here `input_tokens` are those that were neither read from a cache nor written to one. */
export function messagesUsage(usage: AnswerUsage): object {
  const { tokensOut, tokensCached, tokensCacheWrite, tokensReasoning } = usage
  return {
    input_tokens: inputPartsOf(usage).uncached,
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
