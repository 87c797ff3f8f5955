/** How a provider reports usage. */
export const USAGE_SHAPES = ['openai', 'anthropic', 'xai', 'gemini', 'deepseek'] as const
export type UsageShape = (typeof USAGE_SHAPES)[number]
