import { TOKENS_PER_CALL_MAX } from '../../../domain/ledger/decider.ts'

export type Usage = { readonly tokensIn: number; readonly tokensOut: number }

/** The usage block of a provider's answer or stream chunk; null if there is none that a charge could be based on. */
export function readUsage(answer: unknown): Usage | null {
  const usage = member(answer, 'usage')
  const tokensIn = member(usage, 'prompt_tokens')
  // Embeddings produce no tokens, and their usage does not mention any.
  const tokensOut = member(usage, 'completion_tokens', 0)
  return isTokenCount(tokensIn) && isTokenCount(tokensOut) ? { tokensIn, tokensOut } : null
}

function member(value: unknown, name: string, absent?: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const { [name]: found = absent } = value as Record<string, unknown>
  return found
}

function isTokenCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= TOKENS_PER_CALL_MAX
}
