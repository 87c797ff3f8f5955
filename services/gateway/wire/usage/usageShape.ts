import type { UsageShape } from '../../../../capabilities/providers/usageShape.ts'
import { boundedUsage, type Usage } from '../../../../domain/pricing/usage.ts'

/** What a provider reports, as it stands there: parts may exceed their direction, and reasoning may be left out of it. */
export type ReportedUsage = Usage & {
  /** All tokens; null if the provider gives no total. */
  readonly total: number | null
}

/** Shapes whose count of output may leave out the tokens of reasoning. Only the total tells. */
const LEAVES_OUT_REASONING: ReadonlySet<UsageShape> = new Set(['xai', 'gemini'])

/**
 * What the call used, given how its provider counts. xAI and Gemini count reasoning in the total only, but some of their
 * models and resellers count it in the output as well, so what the total has beside input and output is reasoning. Without
 * a total, reasoning is added.
 */
export function usedAs(shape: UsageShape | undefined, { total, ...reported }: ReportedUsage): Usage {
  if (shape === undefined || !LEAVES_OUT_REASONING.has(shape)) return boundedUsage(reported)
  const { tokensIn, tokensOut: counted, parts } = reported
  const tokensOut = total === null ? counted + (parts.reasoning ?? 0) : Math.max(counted, total - tokensIn)
  const isLeftOut = parts.reasoning === undefined && tokensOut > counted
  const reasoning = isLeftOut ? { reasoning: tokensOut - counted } : {}
  return boundedUsage({ ...reported, tokensOut, parts: { ...parts, ...reasoning } })
}
