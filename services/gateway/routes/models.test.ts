import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type MemoryGateway,
  refusedWithoutKeyOrScope,
  startMemoryGateway,
} from '../../../test/support/memoryGateway.ts'

let gateway: MemoryGateway
let key: string
beforeAll(async () => {
  gateway = await startMemoryGateway()
  key = gateway.mintKey()
})
afterAll(() => gateway.close())

test('200: the aliases that the key may call', async () => {
  const { status, json } = await gateway.call('/models', { key })
  expect(status).toBe(200)
  expect(json.data).toContainEqual({ id: 'svc/chat-default', object: 'model', created: 1_767_225_600, owned_by: 'svc' })
})

test('401 without a key, 403 without the scope inference:chat, 429 over the requests per minute', async () => {
  expect(await refusedWithoutKeyOrScope(gateway, '/models', 'inference:chat')).toEqual([401, 403, 429])
})

test('404 for another method and for a path that differs', async () => {
  const answers = [
    await gateway.call('/models', { key, method: 'POST' }),
    await gateway.call('/models', { key, method: 'HEAD' }),
    await gateway.call('/models/', { key, method: 'GET' }),
    await gateway.call('/MODELS', { key, method: 'GET' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
})
