import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Provider } from '../../../capabilities/providers/providersFile.ts'
import { providersOf, TOOL_PRICES } from '../../../test/support/harness/gatewayHarness.ts'
import { type MemoryGateway, startMemoryGateway } from '../../../test/support/harness/memoryGateway.ts'

const FIELDS = {
  models: ['another-model'],
  service_tier: 'priority',
  web_search_options: {},
  plugins: [{ id: 'web' }],
  best_of: 5,
}
const REFUSED = Object.keys(FIELDS)
const chat = { model: 'svc/chat-default', messages: [{ role: 'user', content: 'Hello' }] }

let open: MemoryGateway
let strict: MemoryGateway
beforeAll(async () => {
  ;[open, strict] = await Promise.all([
    startMemoryGateway({ prices: TOOL_PRICES }),
    startMemoryGateway({ alias: { refuse: REFUSED } }),
  ])
})
afterAll(() => Promise.all([open.close(), strict.close()]))

const send = (gateway: MemoryGateway, body: object | string, path = '/chat/completions') =>
  gateway.call(path, { key: gateway.mintKey(), body: typeof body === 'string' ? Buffer.from(body) : body })

const refusal = (param: string) => ({
  status: 400,
  json: {
    error: {
      message: `The model svc/chat-default does not accept '${param}'; leave it out.`,
      type: 'invalid_request_error',
      code: 'INVALID_REQUEST',
      param,
    },
  },
})

describe.each(Object.entries(FIELDS))('%s', (name, value) => {
  test('is forwarded as it is by an alias that does not refuse it', async () => {
    const body = JSON.stringify({ ...chat, [name]: value })
    expect((await send(open, body)).status).toBe(200)
    const { [name]: forwarded } = JSON.parse(open.provider.lastCall().body.toString())
    expect(forwarded).toEqual(value)
  })

  test('gets 400 with its name from an alias that refuses it, and no provider is asked', async () => {
    const callsBefore = strict.provider.calls.length
    expect(await send(strict, { ...chat, [name]: value })).toMatchObject(refusal(name))
    expect(strict.provider.calls.length).toBe(callsBefore)
  })
})

describe('an alias that refuses fields', () => {
  test('answers requests without them', async () => {
    expect((await send(strict, chat)).status).toBe(200)
  })

  test.each([
    ['with the value null', { ...chat, plugins: null }],
    ['in another case', { ...chat, Plugins: [] }],
    ['in a stream', { ...chat, stream: true, plugins: [] }],
    ['in a large body', { ...chat, user: 'x'.repeat(100_000), plugins: [] }],
    ['written with an escape, and twice', `{"plug\\u0069ns":[],"plugins":null,${JSON.stringify(chat).slice(1)}`],
  ])('refuses them %s', async (_, body) => {
    expect(await send(strict, body)).toMatchObject(refusal('plugins'))
  })

  test('refuses them on the other inference routes', async () => {
    const completion = { model: 'svc/chat-default', prompt: 'Hello', best_of: 2 }
    expect(await send(strict, completion, '/completions')).toMatchObject(refusal('best_of'))
    const embedding = { model: 'svc/embed-default', input: 'Hello', service_tier: 'flex' }
    expect((await send(strict, embedding, '/embeddings')).json.error.param).toBe('service_tier')
  })

  test('does not look inside fields, which only concern the provider', async () => {
    expect((await send(strict, { ...chat, metadata: { service_tier: 'priority' } })).status).toBe(200)
  })
})

test('an API that no provider of the alias serves is refused with 400, and the provider is not asked', async () => {
  const [provider] = providersOf(open.provider, [{ wires: ['embeddings'] }])['svc/chat-default']?.providers ?? []
  const other = await startMemoryGateway({ alias: { providers: [provider as Provider] } })
  const { status, json } = await send(other, chat)
  expect({ status, code: json.error.code }).toEqual({ status: 400, code: 'INVALID_REQUEST' })
  expect(json.error.message).toContain('POST /chat/completions')
  expect((await send(other, { ...chat, model: 'unknown' })).status).toBe(403)
  expect(other.provider.calls).toEqual([])
  await other.close()
})
