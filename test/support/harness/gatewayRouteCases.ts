import { afterAll, beforeAll, expect, test } from 'vitest'
import { SCOPES, type Scope } from '../../../contracts/scopes.ts'
import { completion, whole } from '../parties/scriptedProvider.ts'
import type { CallOptions } from './gatewayClient.ts'
import { type MemoryGateway, type MemoryGatewayOptions, startMemoryGateway } from './memoryGateway.ts'

/** An in-memory gateway for the tests of one file, and a key with all scopes. */
export type RouteGateway = { readonly gateway: MemoryGateway; readonly key: string }

/** Starts the gateway before the tests of the file and closes it after them. The fields are set only within tests. */
export function useGateway(options: MemoryGatewayOptions = {}): RouteGateway {
  const used = {} as { gateway: MemoryGateway; key: string }
  beforeAll(async () => {
    used.gateway = await startMemoryGateway(options)
    used.key = used.gateway.mintKey()
  })
  afterAll(() => used.gateway.close())
  return used
}

export type KeyRoute = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly scope: Scope
  readonly body?: object
}

/** The refusals of every route that needs a key: 401, 403, 429 and 404. */
export function keyRouteCases(used: RouteGateway, { method, path, scope, body }: KeyRoute): void {
  const sent: CallOptions = body ? { method, body } : { method }

  test(`401 without a key, 403 without the scope ${scope}, 429 over the requests per minute`, async () => {
    const { gateway } = used
    const others = SCOPES.filter((each) => each !== scope)
    const keys = [null, gateway.mintKey({ scopes: others }), gateway.mintKey({ rpm: 0 })]
    const answers = await Promise.all(keys.map((key) => gateway.call(path, { ...sent, key })))
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 429])
  })

  test.each([
    [method === 'GET' ? 'POST' : 'GET', path],
    ['HEAD', path],
    [method, `${path}/`],
    [method, path.toUpperCase()],
  ])('404 for %s %s', async (otherMethod, otherPath) => {
    expect((await used.gateway.call(otherPath, { key: used.key, method: otherMethod })).status).toBe(404)
  })
}

/** The refusals of every billed route: 402 and 415, and those of routes that need a key. */
export function billedRouteCases(used: RouteGateway, route: KeyRoute & { readonly body: object }): void {
  const { path, body } = route

  test('402 without credits', async () => {
    const key = used.gateway.mintKey({ credits: '0' })
    expect((await used.gateway.call(path, { key, body })).json.error.code).toBe('INSUFFICIENT_CREDITS')
  })

  test('415 for a compressed body', async () => {
    const headers = { 'content-encoding': 'gzip' }
    expect((await used.gateway.call(path, { key: used.key, body, headers })).status).toBe(415)
  })

  keyRouteCases(used, route)
}

export type InferenceRoute = {
  readonly path: string
  readonly body: { readonly model: string; readonly [field: string]: unknown }
  /** The provider's answer. */
  readonly answer: object
  /** Changes of the body that are refused, with the field that the message names. */
  readonly refused: readonly (readonly [changes: object, field: string])[]
}

/** The tests that the three inference routes share. */
export function inferenceRouteCases(used: RouteGateway, { path, body, answer, refused }: InferenceRoute): void {
  test('200: the answer in the form of the provider, with the alias and the credits charged', async () => {
    used.gateway.provider.next(whole(answer))
    const { status, json, headers } = await used.gateway.call(path, { key: used.key, body })
    expect(status).toBe(200)
    expect(json.model).toBe(body.model)
    expect(Number(headers['x-credits-charged'])).toBeGreaterThan(0)
    expect(headers).toMatchObject({ 'x-ratelimit-limit-requests': '1000', 'x-ratelimit-limit-tokens': '1000000' })
    expect(headers).not.toHaveProperty('x-powered-by')
  })

  test.each(refused)('400 for %j', async (changes, field) => {
    const { status, json } = await used.gateway.call(path, { key: used.key, body: { ...body, ...changes } })
    expect({ status, ...json.error }).toMatchObject({ status: 400, message: expect.stringContaining(field) })
  })

  test('403 for a model that is not an alias', async () => {
    const { json } = await used.gateway.call(path, { key: used.key, body: { ...body, model: 'gpt-9' } })
    expect(json.error.code).toBe('LLM_MODEL_NOT_ALLOWED')
  })

  test('503 with retry-after when the provider fails', async () => {
    used.gateway.provider.next(whole('no', { status: 500 }))
    const { status, headers } = await used.gateway.call(path, { key: used.key, body })
    expect(status).toBe(503)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })

  billedRouteCases(used, { method: 'POST', path, scope: 'inference:chat', body })
}

/** The tests that the two parsing routes share; extraction is tested in test/e2e/wire/parsing.test.ts. */
export function parseRouteCases(used: RouteGateway, path: string): void {
  const body = { text: 'Ada Lovelace, mathematician' }

  test.each([
    ['no text', {}, "'text' is missing."],
    ['a list', [], "'text' is missing."],
    ['a number as text', { text: 7 }, "'text' must be a string."],
    ['an empty text', { text: ' ' }, 'There is no text to parse.'],
  ])('400 for %s', async (_, sent, message) => {
    const { status, json } = await used.gateway.call(path, { key: used.key, body: sent })
    expect({ status, ...json.error }).toMatchObject({ status: 400, message, code: 'INVALID_REQUEST' })
  })

  test('400 for a body of another type', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status, json } = await used.gateway.call(path, { key: used.key, body: 'text=Ada', headers })
    expect({ status, ...json.error }).toMatchObject({
      status: 400,
      message: expect.stringContaining('is not accepted'),
    })
  })

  test('502 when the model gives no valid profile in two attempts, and nothing is charged', async () => {
    used.gateway.provider.next(whole(completion()), whole(completion()))
    const { status, json, headers } = await used.gateway.call(path, { key: used.key, body })
    expect({ status, code: json.error.code }).toEqual({ status: 502, code: 'LLM_PARSE_FAILED' })
    expect(headers).not.toHaveProperty('x-credits-charged')
  })

  billedRouteCases(used, { method: 'POST', path, scope: 'inference:parse', body })
}
