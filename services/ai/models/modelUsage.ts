import { z } from 'zod'

export type ModelUsage = { readonly tokensIn: number; readonly tokensOut: number }

const usage = z.object({
  usage: z.object({ prompt_tokens: z.number().catch(0), completion_tokens: z.number().catch(0).optional() }),
})

/** The tokens that an answer reports; zero if it reports none. */
export function usedOf(answer: unknown): ModelUsage {
  const counted = usage.safeParse(answer).data?.usage
  return { tokensIn: counted?.prompt_tokens ?? 0, tokensOut: counted?.completion_tokens ?? 0 }
}
