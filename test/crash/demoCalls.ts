import { expect } from 'vitest'
import type { Installation } from '../support/harness/installation.ts'

/** The demo company's credits, as the gateway reports them. */
export async function balanceOf({ demo }: Installation): Promise<number> {
  const answer = await fetch(`${demo.gatewayUrl}/usage`, { headers: { authorization: `Bearer ${demo.apiKey}` } })
  const { balance } = (await answer.json()) as { balance: { credits: number } }
  return balance.credits
}

/** One chat completion with the demo key, which must succeed. */
export async function chatOnce({ demo }: Installation): Promise<void> {
  const answer = await fetch(`${demo.gatewayUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'svc/chat-default', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
}
