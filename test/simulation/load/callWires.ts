import type { WireName } from '../parties/modelAnswers.ts'
import type { Attempt, Question } from './attempt.ts'

const MAX_TOKENS = 60
const COST_COMMENT = /^: x-credits-charged (\S+)$/m

const PATHS: Readonly<Record<WireName, string>> = {
  chat: '/chat/completions',
  responses: '/responses',
  messages: '/messages',
}

/** The request of a question; the same bytes each time. */
export function callRequest({ name, key, wire, alias, isStreamed, idempotencyKey, serviceTier }: Question) {
  const messages = [{ role: 'user', content: name }]
  const parts: Readonly<Record<WireName, object>> = {
    chat: { max_tokens: MAX_TOKENS, messages },
    responses: { max_output_tokens: MAX_TOKENS, input: name },
    messages: { max_tokens: MAX_TOKENS, messages },
  }
  return {
    path: PATHS[wire],
    headers: {
      authorization: `Bearer ${key.raw}`,
      'content-type': 'application/json',
      ...(wire === 'messages' && { 'anthropic-version': '2023-06-01' }),
      ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify({
      ...{ model: alias, stream: isStreamed, ...parts[wire] },
      ...(serviceTier !== null && { service_tier: serviceTier }),
    }),
  }
}

const LAST_EVENTS: Readonly<Record<WireName, string>> = {
  chat: 'data: [DONE]\n\n',
  responses: 'event: response.completed\n',
  messages: 'event: message_stop\n',
}
const FAILED_EVENTS: Readonly<Record<WireName, string>> = {
  chat: 'data: {"error":',
  responses: 'event: response.failed\n',
  messages: 'event: error\n',
}

/** How an answer that was received to its end has ended, as the documents for callers say. */
export function endOfAnswer(
  { wire, isStreamed }: Question,
  status: number,
  text: string,
): Pick<Attempt, 'end' | 'code' | 'chargedMicros'> {
  if (status !== 200) {
    const { error } = JSON.parse(text) as { error: { code?: string | null } }
    return { end: 'refused', code: error.code ?? null, chargedMicros: null }
  }
  if (!isStreamed) return { end: 'whole', code: null, chargedMicros: null }
  const credits = COST_COMMENT.exec(text)?.[1]
  const chargedMicros = credits === undefined ? null : Math.round(Number(credits) * 1e6)
  if (text.includes(LAST_EVENTS[wire])) return { end: 'whole', code: null, chargedMicros }
  return { end: text.includes(FAILED_EVENTS[wire]) ? 'failed' : 'cut', code: null, chargedMicros }
}
