import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../test/support/harness/gatewayClient.ts'
import { startTestSandbox } from '../../../test/support/harness/sandbox.ts'

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.close())

type Entry = { embedding: number[] }

const ask = (body: object | string) => call(sandbox.url, '/v1/embeddings', { body })
const requestBody = (input: unknown, changes: object = {}) => ({ model: 'sandbox-embed-default', input, ...changes })
const vectors = async (input: unknown, changes?: object) =>
  (await ask(requestBody(input, changes))).json.data.map(({ embedding }: Entry) => embedding) as number[][]
const lengthOf = (vector: readonly number[]) => Math.hypot(...vector)

describe('sandbox embeddings', () => {
  test('returns a list of unit vectors with their usage', async () => {
    const { status, json } = await ask(requestBody(['Hello there', 'Good day']))
    expect(status).toBe(200)
    expect(json).toEqual({
      object: 'list',
      data: [0, 1].map((index) => ({ object: 'embedding', index, embedding: expect.any(Array) })),
      model: 'sandbox-embed-default',
      system_fingerprint: 'tollgate-sandbox',
      usage: { prompt_tokens: 5, total_tokens: 5 },
    })
    for (const { embedding } of json.data as Entry[]) {
      expect(embedding).toHaveLength(1_536)
      expect(lengthOf(embedding)).toBeCloseTo(1, 6)
    }
  })

  test('returns the same vector for a text, alone or in a list', async () => {
    const [alone] = await vectors('Hello there')
    expect((await vectors(['Good day', 'Hello there']))[1]).toEqual(alone)
  })

  test('returns unit vectors with the requested number of dimensions', async () => {
    for (const dimensions of [1, 2, 256, 3_072]) {
      const [vector = []] = await vectors('Hello there', { dimensions })
      expect(vector).toHaveLength(dimensions)
      expect(lengthOf(vector)).toBeCloseTo(1, 6)
    }
  })

  test('encodes the same numbers as 32-bit little-endian floats in base64', async () => {
    const [numbers = []] = await vectors('Hello there', { dimensions: 64 })
    const { json } = await ask(requestBody('Hello there', { dimensions: 64, encoding_format: 'base64' }))
    const bytes = Buffer.from(json.data[0].embedding, 'base64')
    expect(bytes).toHaveLength(64 * 4)
    expect(numbers.map((_, at) => bytes.readFloatLE(at * 4))).toEqual(numbers.map(Math.fround))
  })

  test('accepts input as tokens', async () => {
    const { json } = await ask(requestBody([15339, 1917]))
    expect(json.data).toHaveLength(1)
    expect(json.usage).toEqual({ prompt_tokens: 2, total_tokens: 2 })
    expect(await vectors([[15339, 1917], [7]])).toEqual([json.data[0].embedding, expect.any(Array)])
  })

  test.each([
    ['a body that is not JSON', '{'],
    ['a request without input', { model: 'm' }],
    ['an empty list', requestBody([])],
    ['an empty text', requestBody(['Hello', ''])],
    ['a mixed list', requestBody(['Hello', 1])],
    ['zero dimensions', requestBody('Hello', { dimensions: 0 })],
    ['an unknown encoding', requestBody('Hello', { encoding_format: 'int8' })],
    ['a text that is too long', requestBody('word '.repeat(10_000))],
    ['a list with too much text in all', requestBody(Array(100).fill('word '.repeat(5_000)))],
  ])('%s is refused with 400 in the error envelope', async (_, body) => {
    const { status, json } = await ask(body)
    expect(status).toBe(400)
    expect(json.error).toMatchObject({ message: expect.stringMatching(/^sandbox: /), type: 'invalid_request_error' })
  })
})
