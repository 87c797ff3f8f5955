import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AliasProviders } from '../../../capabilities/providers/providersFile.ts'
import { chatBody } from '../../../test/support/harness/gatewayClient.ts'
import { price } from '../../../test/support/harness/gatewayHarness.ts'
import { useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'
import { completion, whole } from '../../../test/support/parties/scriptedProvider.ts'

const CHAT = '/chat/completions'

/** The random part of the next call's id. */
let random = 0
const timeOrderedUuid = () => `${randomUUID().slice(0, -8)}${(random * 2 ** 32).toString(16).padStart(8, '0')}`

const used = useGateway({
  ids: { uuid: randomUUID, timeOrderedUuid },
  catalogue: ({ 'svc/chat-default': entry }) => ({
    'acme/fast:v1': entry,
    'acme/unpriced': entry,
    'acme/soon': entry,
    'acme/split': entry && weighted(entry),
  }),
  prices: { 'acme/fast:v1': price(500_000_000), 'acme/split': price(1), 'acme/unrouted': price(1) },
})

/** Three of four calls go to the second provider. */
function weighted(entry: AliasProviders): AliasProviders {
  const [provider] = entry.providers
  const first = { ...provider, name: 'first', model: 'model-1', weight: 1 }
  const second = { ...provider, name: 'second', model: 'model-2', weight: 3 }
  return { ...entry, strategy: 'weighted', providers: [first, second] }
}
const chat = (model: string, key = used.key) => used.gateway.call(CHAT, { key, body: chatBody({ model }) })

describe('an alias can be any name in the providers file', () => {
  test('200 for one with a provider and a price, which the answer shows as its model', async () => {
    used.gateway.provider.next(whole(completion()))
    const { status, json } = await chat('acme/fast:v1')
    expect({ status, model: json.model }).toEqual({ status: 200, model: 'acme/fast:v1' })
  })

  test.each([
    ['acme/unpriced', 'The model acme/unpriced has no price at present.'],
    ['acme/unrouted', 'The model acme/unrouted has no provider at present.'],
  ])('503 for %s', async (model, message) => {
    const { status, json } = await chat(model)
    expect({ status, message: json.error.message }).toEqual({ status: 503, message })
  })

  test("503 for one whose price is not in force yet, with its start and the server's time", async () => {
    const at = '9999-01-01T00:00:00.000Z'
    const book = { bookId: randomUUID(), companyId: null, effectiveFrom: at, publishedAt: at }
    const data = { ...book, prices: { 'acme/soon': price(1) }, retired: [], replacesAll: false }
    used.gateway.views.prices.apply({ type: 'PriceBookPublished', data, revision: 1 })
    const began = new Date().toISOString()
    const { status, json } = await chat('acme/soon')
    const [, now = ''] =
      /^The model acme\/soon has no price at present\. Its price begins at 9999-01-01T00:00:00\.000Z, and the server's clock says (.*)\.$/.exec(
        json.error.message,
      ) ?? []
    expect({ status, code: json.error.code }).toEqual({ status: 503, code: 'LLM_GATEWAY_UNAVAILABLE' })
    expect(now >= began && now <= new Date().toISOString()).toBe(true)
  })

  test.each(['acme/other', 'svc/chat-default', 'constructor', 'toString', '__proto__', ''])(
    '403 for %j, which has neither',
    async (model) => {
      const { json } = await chat(model)
      expect(json.error.code).toBe('LLM_MODEL_NOT_ALLOWED')
    },
  )

  test("503 for one in the key's list, with what it lacks", async () => {
    const key = used.gateway.mintKey({ models: ['acme/later'] })
    const { status, json } = await chat('acme/later', key)
    expect({ status, message: json.error.message }).toEqual({
      status: 503,
      message: 'The model acme/later has no provider and no price at present.',
    })
    expect((await chat('acme/fast:v1', key)).status).toBe(403)
  })

  test('503 for parsing if the alias that it uses is missing', async () => {
    const { status, json } = await used.gateway.call('/parse/cv', { key: used.key, body: { text: 'Ada' } })
    expect({ status, message: json.error.message }).toEqual({
      status: 503,
      message: 'The model svc/extract-default, which parsing uses, has no provider and no price at present.',
    })
  })
})

describe('an alias whose providers are weighted', () => {
  const modelsCalled = async () => {
    const before = used.gateway.provider.calls.length
    expect((await chat('acme/split')).status).toBe(200)
    return used.gateway.provider.calls.slice(before).map(({ body }) => JSON.parse(body.toString()).model)
  }

  test('is served by each of them in proportion to its weight', async () => {
    const models = []
    for (const fraction of [0, 0.25, 0.5, 0.75]) {
      random = fraction
      models.push(await modelsCalled())
    }
    expect(models).toEqual([['model-1'], ['model-2'], ['model-2'], ['model-2']])
  })

  test('is served by another one if the chosen one fails', async () => {
    random = 0.5
    used.gateway.provider.next(whole('{}', { status: 500 }))
    expect(await modelsCalled()).toEqual(['model-2', 'model-1'])
  })
})

test('a refusal of our account with a provider is counted by alias, provider and reason', async () => {
  random = 0
  used.gateway.provider.next(whole('{}', { status: 401 }))
  expect((await chat('acme/split')).status).toBe(200)
  expect(await used.gateway.registry.metrics()).toContain(
    'tollgate_provider_errors_total{alias="acme/split",provider="first",reason="provider_401"} 1',
  )
})

test('GET /models lists the aliases with a provider and a price', async () => {
  const { json } = await used.gateway.call('/models', { key: used.key })
  expect(json.data.map(({ id }: { id: string }) => id)).toEqual(['acme/fast:v1', 'acme/split'])
})
