import type { JsonObject } from '../../../../platform/http/body/parseJson.ts'
import { readChatUsage as reportedUsage } from '../../wire/usage/chatUsage.ts'
import type { AnswerUsage } from '../conversation/answer.ts'
import { answerUsage } from '../conversation/answerFields.ts'

export function readChatUsage(answer: JsonObject): AnswerUsage {
  return answerUsage(reportedUsage(answer))
}

/** Counts that the provider did not report are left out. */
export function chatUsage({
  tokensIn,
  tokensOut,
  tokensCached,
  tokensCacheWrite,
  tokensReasoning,
}: AnswerUsage): object {
  const cached = tokensCached === null ? {} : { cached_tokens: tokensCached }
  const written = tokensCacheWrite === null ? {} : { cache_write_tokens: tokensCacheWrite }
  const hasParts = tokensCached !== null || tokensCacheWrite !== null
  return {
    prompt_tokens: tokensIn,
    completion_tokens: tokensOut,
    total_tokens: tokensIn + tokensOut,
    ...(hasParts ? { prompt_tokens_details: { ...cached, ...written } } : {}),
    ...(tokensReasoning === null ? {} : { completion_tokens_details: { reasoning_tokens: tokensReasoning } }),
  }
}

const TIERS: ReadonlySet<string> = new Set(['default', 'flex', 'scale', 'priority', 'fast'])

/** The member that tells the tier, if chat has a name for it. */
export function chatTier(tier: string | null): { service_tier?: string } {
  const name = tier === 'standard' ? 'default' : tier
  return name !== null && TIERS.has(name) ? { service_tier: name } : {}
}
