import {
  boundedUsage,
  type MeasuredUsage,
  NO_UNITS,
  type UnitCounts,
} from '../../../../domain/charging/measuredUsage.ts'
import { countOf, isCount, member, reportedParts, tierOf } from './usageMembers.ts'
import { type UsageShape, wholeOutput, wholeReasoning } from './usageShape.ts'

/**
 * The usage block of an answer or stream chunk on the wire of chat completions, completions or embeddings; null if there is
 * none that a charge could be based on.
 */
export function readChatUsage(answer: unknown, shape: UsageShape = 'openai'): MeasuredUsage | null {
  const usage = member(answer, 'usage')
  const tokensIn = member(usage, 'prompt_tokens')
  // Embeddings produce no tokens, and their usage does not mention any.
  const reported = member(usage, 'completion_tokens') ?? 0
  if (!isCount(tokensIn) || !isCount(reported)) return null
  const inputDetails = member(usage, 'prompt_tokens_details')
  const outputDetails = member(usage, 'completion_tokens_details')
  const reasoning = countOf(outputDetails, 'reasoning_tokens')
  const output = { tokensIn, reported, reasoning, total: countOf(usage, 'total_tokens') }
  const tokensOut = wholeOutput(shape, output)
  const parts = reportedParts({
    cachedInput: countOf(inputDetails, 'cached_tokens') ?? countOf(usage, 'prompt_cache_hit_tokens'),
    cacheWrite: countOf(inputDetails, 'cache_write_tokens'),
    audioInput: countOf(inputDetails, 'audio_tokens'),
    imageInput: countOf(inputDetails, 'image_tokens'),
    reasoning: wholeReasoning(tokensOut, output),
    audioOutput: countOf(outputDetails, 'audio_tokens'),
    imageOutput: countOf(outputDetails, 'image_tokens'),
  })
  return boundedUsage({ tokensIn, tokensOut, parts, units: searchesOf(usage), serviceTier: tierOf(answer) })
}

/** xAI counts the sources that a live search read, each of which has a fee. */
function searchesOf(usage: unknown): UnitCounts {
  const search = countOf(usage, 'num_sources_used')
  return search ? { search } : NO_UNITS
}
