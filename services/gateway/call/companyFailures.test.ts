import { afterEach, beforeEach, expect, test } from 'vitest'
import { chatBody } from '../../../test/support/harness/gatewayClient.ts'
import { type MemoryGateway, startMemoryGateway } from '../../../test/support/harness/memoryGateway.ts'
import { completion, whole } from '../../../test/support/parties/scriptedProvider.ts'

let gateway: MemoryGateway
beforeEach(async () => {
  gateway = await startMemoryGateway()
})
afterEach(() => gateway.close())

const messages = [{ role: 'user', content: 'Hi' }]

test.each([
  ['/chat/completions', chatBody()],
  ['/messages', { model: 'svc/chat-default', max_tokens: 9, messages }],
  ['/messages/count_tokens', { model: 'svc/chat-default', messages }],
  ['/parse/cv', { text: 'Ada Lovelace, engineer' }],
])('five failures of one company at %s stop its calls, and those of no other company', async (path, body) => {
  const [acme, other] = [gateway.mintKey(), gateway.mintKey()]
  const chat = async (key: string) => (await gateway.call('/chat/completions', { key, body: chatBody() })).status
  gateway.provider.always(whole(completion()))
  expect(await chat(other)).toBe(200)
  gateway.provider.always(whole({}, { status: 500 }))
  for (let n = 0; n < 5; n++) expect((await gateway.call(path, { key: acme, body })).status).toBe(503)
  const callsBefore = gateway.provider.calls.length
  gateway.provider.always(whole(completion()))
  expect(await chat(acme)).toBe(503)
  expect(gateway.provider.calls).toHaveLength(callsBefore)
  expect(await chat(other)).toBe(200)
})
