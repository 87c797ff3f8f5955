import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OpenApiAnswers, type OpenApiJson } from '../../support/cases/openApiAnswers.ts'
import { type CallOptions, call, chatBody } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import { whole } from '../../support/parties/scriptedProvider.ts'

let gateway: GatewayHarness
const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
let document: OpenApiJson & { readonly openapi: string }
beforeAll(async () => {
  gateway = await startGatewayHarness()
  document = (await call(gateway.url, '/llm/v1/openapi.json')).json
})
afterAll(() => gateway.close())

test('the document is valid OpenAPI 3.1, read without a key', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never)
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(document).toMatchObject({ info: { version: manifest.version } })
  expect(Object.keys(document.paths).sort()).toEqual(
    [
      'calls/{id}',
      'calls/{id}/receipt',
      'chat/completions',
      'completions',
      'embeddings',
      'jobs',
      'messages',
      'messages/count_tokens',
      'models',
      'models/{id}',
      'parse/cv',
      'parse/jd',
      'responses',
      'usage',
    ].map((path) => `/llm/v1/${path}`),
  )
})

test('every kind of answer matches the document', async () => {
  const answers = new OpenApiAnswers(document)
  const check = async (path: string, options: CallOptions, status: number) => {
    const answer = await gateway.call(`/llm/v1${path}`, options)
    expect(answer.status, path).toBe(status)
    answers.check(options.body === undefined ? 'GET' : 'POST', `/llm/v1${path}`, answer.status, answer.json)
  }
  const reader = await gateway.mintKey(gateway.companyId, { scopes: ['usage:read', 'jobs:read'] })
  await check('/models', {}, 200)
  await check('/models', { key: null }, 401)
  await check('/models/svc%2Fchat-default', {}, 200)
  await check('/models/other', {}, 404)
  await check('/models', { key: reader.raw }, 403)
  await check('/usage?group_by=day', {}, 200)
  await check('/usage?group_by=year', {}, 400)
  await check('/calls/00000000-0000-4000-8000-000000000000', {}, 404)
  await check('/calls/00000000-0000-4000-8000-000000000000/receipt', {}, 404)
  await check('/calls/00000000-0000-4000-8000-000000000000/receipt?since=x', {}, 400)
  await check('/jobs?limit=1', { key: reader.raw }, 200)
  await check('/chat/completions', { body: chatBody() }, 200)
  await check('/chat/completions', { body: chatBody({ messages: [] }) }, 400)
  await check('/chat/completions', { body: chatBody({ model: 'svc/other' }) }, 403)
  await check('/parse/cv', { body: { text: 7 } }, 400)
  for (const path of ['/messages', '/messages/count_tokens']) {
    await check(path, { body: {} }, 400)
    await check(path, { body: {}, key: null }, 401)
  }
  const usage = { prompt_tokens: 3, total_tokens: 3 }
  gateway.provider.next(whole({ object: 'list', model: 'm', data: [{ index: 0, embedding: [0.1, 0.2] }], usage }))
  await check('/embeddings', { body: { model: 'svc/embed-default', input: 'a' } }, 200)
  const refusal = whole({ error: { code: 'context_length_exceeded', param: 'messages' } }, { status: 400 })
  gateway.provider.next(refusal, refusal)
  await check('/chat/completions', { body: chatBody() }, 400)
  await check('/messages', { body: chatBody({ max_tokens: 9 }) }, 400)
  gateway.provider.next(whole('no', { status: 500 }))
  await check('/chat/completions', { body: chatBody() }, 503)
})

test('the page needs no key and loads everything from the gateway; other methods are 404', async () => {
  const page = await call(gateway.url, '/llm/v1/docs')
  expect(page.status).toBe(200)
  const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  expect(assets.length).toBe(4)
  for (const path of assets) expect((await call(gateway.url, path)).status, path).toBe(200)
  expect(page.text).not.toMatch(/https?:/)
  expect((await call(gateway.url, '/llm/v1/docs', { method: 'POST' })).status).toBe(404)
})
