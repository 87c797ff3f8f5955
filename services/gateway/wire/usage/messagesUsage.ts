import { sumOf, type UnitCounts, type Usage } from '../../../../domain/pricing/usage.ts'
import { countOf, isCount, member, reportedParts, tierOf } from './usageMembers.ts'
import type { ReportedUsage } from './usageShape.ts'

/** The usage of a message; null if there is none that a charge could be based on. */
export function readMessagesUsage(message: unknown): ReportedUsage | null {
  const usage = member(message, 'usage')
  let whole = countsOf(usage)
  for (const iteration of extraIterations(usage)) {
    const extra = countsOf(iteration)
    if (whole === null || extra === null) return null
    whole = sumOf(whole, extra)
  }
  return whole && { ...whole, units: toolCallsOf(usage), serviceTier: tierOf(usage), total: null }
}

/**
 * Iterations that the counts beside them leave out: those that summarise a long conversation or ask another model. Iterations
 * of the message itself are included.
 */
function extraIterations(usage: unknown): readonly unknown[] {
  const iterations = member(usage, 'iterations')
  return Array.isArray(iterations) ? iterations.filter((each) => member(each, 'type') !== 'message') : []
}

/**
 * `input_tokens` are those that were neither read from a cache nor written to one, so a cached count that is no number
 * leaves the size of the input unknown.
 */
function countsOf(usage: unknown): Usage | null {
  const uncached = member(usage, 'input_tokens')
  const tokensOut = member(usage, 'output_tokens')
  const cachedInput = member(usage, 'cache_read_input_tokens') ?? undefined
  const written = member(usage, 'cache_creation_input_tokens') ?? undefined
  const cacheWrite1h = member(member(usage, 'cache_creation'), 'ephemeral_1h_input_tokens') ?? 0
  if (!isCount(uncached) || !isCount(tokensOut) || !isCountOrAbsent(cachedInput) || !isCountOrAbsent(written))
    return null
  if (!isCount(cacheWrite1h) || cacheWrite1h > (written ?? 0)) return null
  const tokensIn = uncached + (cachedInput ?? 0) + (written ?? 0)
  if (!isCount(tokensIn)) return null
  const parts = reportedParts({
    cachedInput,
    cacheWrite: written === undefined ? undefined : written - cacheWrite1h,
    cacheWrite1h: cacheWrite1h > 0 ? cacheWrite1h : undefined,
    reasoning: countOf(member(usage, 'output_tokens_details'), 'thinking_tokens'),
  })
  return { tokensIn, tokensOut, parts, units: {}, serviceTier: null }
}

function isCountOrAbsent(value: unknown): value is number | undefined {
  return value === undefined || isCount(value)
}

/** `server_tool_use` counts the requests of each tool that the provider ran: `web_search_requests` and the like. */
function toolCallsOf(usage: unknown): UnitCounts {
  const calls: Record<string, number> = {}
  const used = member(usage, 'server_tool_use')
  if (typeof used !== 'object' || used === null) return calls
  for (const [name, count] of Object.entries(used)) {
    const tool = REQUESTS.exec(name)?.[1]
    if (tool !== undefined && isCount(count) && count > 0) calls[`tool:${tool}`] = count
  }
  return calls
}

const REQUESTS = /^([a-z][a-z0-9_]{0,60})_requests$/
