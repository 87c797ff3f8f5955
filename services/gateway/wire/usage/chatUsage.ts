import { NO_UNITS, type UnitCounts } from '../../../../domain/pricing/usage.ts'
import { countOf, isCount, member, reportedParts, tierOf } from './usageMembers.ts'
import type { ReportedUsage } from './usageShape.ts'

/**
 * The usage block of an answer or stream chunk on the wire of chat completions, completions or embeddings; null if there is
 * none that a charge could be based on.
 */
export function readChatUsage(answer: unknown): ReportedUsage | null {
  const usage = member(answer, 'usage')
  const tokensIn = member(usage, 'prompt_tokens')
  // Embeddings produce no tokens, and their usage does not mention any.
  const completion = member(usage, 'completion_tokens')
  const tokensOut = completion === undefined ? 0 : completion
  if (!isCount(tokensIn) || !isCount(tokensOut)) return null
  const inputDetails = member(usage, 'prompt_tokens_details')
  const outputDetails = member(usage, 'completion_tokens_details')
  const parts = reportedParts({
    cachedInput: countOf(inputDetails, 'cached_tokens') ?? countOf(usage, 'prompt_cache_hit_tokens'),
    cacheWrite: countOf(inputDetails, 'cache_write_tokens'),
    audioInput: countOf(inputDetails, 'audio_tokens'),
    imageInput: countOf(inputDetails, 'image_tokens'),
    reasoning: countOf(outputDetails, 'reasoning_tokens'),
    audioOutput: countOf(outputDetails, 'audio_tokens'),
    imageOutput: countOf(outputDetails, 'image_tokens'),
  })
  const total = countOf(usage, 'total_tokens') ?? null
  return { tokensIn, tokensOut, parts, units: searchesOf(usage), serviceTier: tierOf(answer), total }
}

/** xAI counts the sources that a live search read, each of which has a fee. */
function searchesOf(usage: unknown): UnitCounts {
  const search = countOf(usage, 'num_sources_used')
  return search ? { search } : NO_UNITS
}
