import { expect, test } from 'vitest'
import { keyRouteCases, useGateway } from '../../../test/support/gatewayRouteCases.ts'

const used = useGateway()

test('200: the aliases that the key may call', async () => {
  const { status, json } = await used.gateway.call('/models', { key: used.key })
  expect(status).toBe(200)
  expect(json.data).toContainEqual({ id: 'svc/chat-default', object: 'model', created: 1_767_225_600, owned_by: 'svc' })
})

keyRouteCases(used, { method: 'GET', path: '/models', scope: 'inference:chat' })
