import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type MemoryGateway,
  refusedWithoutKeyOrScope,
  startMemoryGateway,
} from '../../../test/support/memoryGateway.ts'
import { completion, whole } from '../../../test/support/scriptedProvider.ts'

const PATH = '/parse/jd'
const BODY = { text: 'Ada Lovelace, mathematician' }

let gateway: MemoryGateway
let key: string
beforeAll(async () => {
  gateway = await startMemoryGateway()
  key = gateway.mintKey()
})
afterAll(() => gateway.close())

test.each([
  ['no text', {}, "'text' is missing."],
  ['a list', [], "'text' is missing."],
  ['a number as text', { text: 7 }, "'text' must be a string."],
  ['an empty text', { text: ' ' }, 'There is no text to parse.'],
])('400 for %s', async (_, body, message) => {
  const { status, json } = await gateway.call(PATH, { key, body })
  expect({ status, ...json.error }).toMatchObject({ status: 400, message, code: 'INVALID_REQUEST' })
})

test('400 for a body of another type', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status, json } = await gateway.call(PATH, { key, body: 'text=Ada', headers })
  expect({ status, ...json.error }).toMatchObject({ status: 400, message: expect.stringContaining('is not accepted') })
})

test('402 without credits', async () => {
  const poor = gateway.mintKey({ credits: '0' })
  expect((await gateway.call(PATH, { key: poor, body: BODY })).json.error.code).toBe('INSUFFICIENT_CREDITS')
})

test('415 for a compressed body', async () => {
  const headers = { 'content-encoding': 'gzip' }
  expect((await gateway.call(PATH, { key, body: BODY, headers })).status).toBe(415)
})

test('502 when the model gives no valid profile in two attempts, and nothing is charged', async () => {
  gateway.provider.next(whole(completion()), whole(completion()))
  const { status, json, headers } = await gateway.call(PATH, { key, body: BODY })
  expect({ status, code: json.error.code }).toEqual({ status: 502, code: 'LLM_PARSE_FAILED' })
  expect(headers).not.toHaveProperty('x-credits-charged')
})

test('401 without a key, 403 without the scope inference:parse, 429 over the requests per minute', async () => {
  expect(await refusedWithoutKeyOrScope(gateway, PATH, 'inference:parse', BODY)).toEqual([401, 403, 429])
})

test('404 for another method', async () => {
  expect((await gateway.call(PATH, { key, method: 'GET' })).status).toBe(404)
})
