import type { UnitCounts } from '../../../../domain/pricing/usage.ts'
import { countOf, isCount, member, reportedParts, tierOf } from './usageMembers.ts'
import type { ReportedUsage } from './usageShape.ts'

/** The usage of a Responses object; null if there is none that a charge could be based on. */
export function readResponsesUsage(response: unknown): ReportedUsage | null {
  const usage = member(response, 'usage')
  const tokensIn = member(usage, 'input_tokens')
  const tokensOut = member(usage, 'output_tokens')
  if (!isCount(tokensIn) || !isCount(tokensOut)) return null
  const inputDetails = member(usage, 'input_tokens_details')
  const outputDetails = member(usage, 'output_tokens_details')
  const parts = reportedParts({
    cachedInput: countOf(inputDetails, 'cached_tokens'),
    cacheWrite: countOf(inputDetails, 'cache_write_tokens'),
    audioInput: countOf(inputDetails, 'audio_tokens'),
    imageInput: countOf(inputDetails, 'image_tokens'),
    reasoning: countOf(outputDetails, 'reasoning_tokens'),
    audioOutput: countOf(outputDetails, 'audio_tokens'),
    imageOutput: countOf(outputDetails, 'image_tokens'),
  })
  const total = countOf(usage, 'total_tokens') ?? null
  return { tokensIn, tokensOut, parts, units: toolCallsOf(response), serviceTier: tierOf(response), total }
}

/** Items of the tools that the caller runs; calls of all other tools are run by the provider. */
const CALLERS_OWN: ReadonlySet<string> = new Set([
  'function_call',
  'custom_tool_call',
  'computer_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
])
const HOSTED_CALL = /^([a-z][a-z0-9_]{0,60})_call$/

/** The calls of hosted tools among the items of the output, which the usage block does not count. */
function toolCallsOf(response: unknown): UnitCounts {
  const calls: Record<string, number> = {}
  const output = member(response, 'output')
  for (const item of Array.isArray(output) ? output : []) {
    const type = member(item, 'type')
    const tool = typeof type === 'string' && !CALLERS_OWN.has(type) ? HOSTED_CALL.exec(type)?.[1] : undefined
    if (tool === undefined || member(item, 'status') === 'failed' || !isSearch(item)) continue
    calls[`tool:${tool}`] = (calls[`tool:${tool}`] ?? 0) + 1
  }
  return calls
}

/** A web search also reports the pages that it opens and searches, which have no fee. */
function isSearch(item: unknown): boolean {
  const action = member(member(item, 'action'), 'type')
  return action === undefined || action === 'search'
}
