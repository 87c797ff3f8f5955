import type { WireName } from '../../../capabilities/providers/wires.ts'

const TEXT = 'Answer with the word OK.'
/** Enough for one word. A model that reasons first is cut off, which counts as an answer, too. */
const TOKENS_OUT_MAX = 16
const MESSAGES = [{ role: 'user', content: TEXT }]

/** The smallest request of each API. */
const BODIES: Readonly<Record<WireName, (model: string) => object>> = {
  chat: (model) => ({ model, messages: MESSAGES, max_tokens: TOKENS_OUT_MAX }),
  completions: (model) => ({ model, prompt: TEXT, max_tokens: TOKENS_OUT_MAX }),
  embeddings: (model) => ({ model, input: TEXT }),
  responses: (model) => ({ model, input: TEXT, max_output_tokens: TOKENS_OUT_MAX, store: false }),
  messages: (model) => ({ model, messages: MESSAGES, max_tokens: TOKENS_OUT_MAX }),
}

export function trialQuestion(wire: WireName, model: string): Buffer {
  return Buffer.from(JSON.stringify(BODIES[wire](model)))
}

/** Newer models refuse `max_tokens` and name the field that they want instead. */
export function otherTrialQuestion(wire: WireName, model: string, refusal: string): Buffer | null {
  if (wire !== 'chat' || !refusal.includes('max_completion_tokens')) return null
  return Buffer.from(JSON.stringify({ model, messages: MESSAGES, max_completion_tokens: TOKENS_OUT_MAX }))
}

/** Required by the Messages API; callers send their own. */
export function trialHeaders(wire: WireName): Readonly<Record<string, string>> {
  return wire === 'messages' ? { 'anthropic-version': '2023-06-01' } : {}
}
