import { describe, expect, test } from 'vitest'
import { chatBody } from '../../../test/support/gatewayClient.ts'
import { price } from '../../../test/support/gatewayHarness.ts'
import { useGateway } from '../../../test/support/gatewayRouteCases.ts'
import { completion, whole } from '../../../test/support/scriptedProvider.ts'

const CHAT = '/chat/completions'

const used = useGateway({
  catalogue: ({ 'svc/chat-default': entry }) => ({ 'acme/fast:v1': entry, 'acme/unpriced': entry }),
  prices: { 'acme/fast:v1': price(500_000_000), 'acme/unrouted': price(1) },
})
const chat = (model: string, key = used.key) => used.gateway.call(CHAT, { key, body: chatBody({ model }) })

describe('an alias is whatever the providers file names', () => {
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

  test.each(['acme/other', 'svc/chat-default', 'constructor', 'toString', '__proto__', ''])(
    '403 for %j, which has neither',
    async (model) => {
      const { json } = await chat(model)
      expect(json.error.code).toBe('LLM_MODEL_NOT_ALLOWED')
    },
  )

  test('503 for one that the list of the key names, with what it lacks', async () => {
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

test('GET /models lists the aliases with a provider and a price', async () => {
  const { json } = await used.gateway.call('/models', { key: used.key })
  expect(json.data.map(({ id }: { id: string }) => id)).toEqual(['acme/fast:v1'])
})
