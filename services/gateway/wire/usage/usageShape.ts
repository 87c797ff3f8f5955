/** How a provider reports usage on the wire of chat completions or Responses; Messages has one shape only. */
export const USAGE_SHAPES = ['openai', 'xai', 'gemini', 'deepseek'] as const
export type UsageShape = (typeof USAGE_SHAPES)[number]

/** Shapes whose count of output may leave out the tokens of reasoning. Only the total tells. */
const LEAVES_OUT_REASONING: ReadonlySet<UsageShape> = new Set(['xai', 'gemini'])

type Output = {
  readonly tokensIn: number
  readonly reported: number
  readonly reasoning: number | undefined
  readonly total: number | undefined
}

/**
 * All tokens of the output. xAI and Gemini count reasoning in the total only, but some of their models and resellers count
 * it in the output as well, so what the total has beside input and output is reasoning. Without a total, reasoning is added.
 */
export function wholeOutput(shape: UsageShape, { tokensIn, reported, reasoning, total }: Output): number {
  if (!LEAVES_OUT_REASONING.has(shape)) return reported
  if (total === undefined) return reported + (reasoning ?? 0)
  return Math.max(reported, total - tokensIn)
}

/** Reasoning that only the total shows has no count of its own. */
export function wholeReasoning(whole: number, { reported, reasoning }: Output): number | undefined {
  return reasoning ?? (whole > reported ? whole - reported : undefined)
}
