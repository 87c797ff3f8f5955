import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../contracts/scopes.ts'
import { type BilledCompany, billedCompany } from '../support/events/billedCompany.ts'
import { type Answer, CHAT, call, chatBody } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, INTERNAL_TOKEN, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { steppedClock } from '../support/time/steppedClock.ts'
import { until } from '../support/time/until.ts'

const clock = steppedClock(Date.UTC(2026, 2, 1, 12))
let gateway: GatewayHarness

beforeAll(async () => {
  gateway = await startGatewayHarness({ clock })
})
afterAll(() => gateway.close())

const envelope = (answer: Answer) => ({ status: answer.status, ...answer.json.error })
const inAnHour = () => new Date(clock.now() + 3_600_000).toISOString()

describe('401 authentication_error', () => {
  test('missing, unknown, revoked and expired keys get the same bytes and headers', async () => {
    const revoked = await gateway.mintKey(gateway.companyId)
    const expired = await gateway.mintKey(gateway.companyId, { expiresAt: inAnHour() })
    await gateway.revoke(revoked.keyId)
    await until('the revoked key is refused', async () => {
      return (await gateway.call('/llm/v1/models', { key: revoked.raw })).status === 401
    })
    clock.advance(3_600_000)
    const tell = ({ status, headers, text }: Answer) => {
      const { 'x-request-id': id, date, ...rest } = headers
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(date).toBeDefined()
      return { status, text, headers: rest }
    }
    const answers = await Promise.all(
      [null, `tg_${'A'.repeat(43)}`, revoked.raw, expired.raw].map(async (key) =>
        tell(await gateway.chat(chatBody(), { key })),
      ),
    )
    expect(answers[0]).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
    expect(JSON.parse(answers[0]?.text ?? '').error).toEqual({
      message: expect.any(String),
      type: 'authentication_error',
      code: null,
    })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  test.each([
    ['the bare key', (key: string) => key],
    ['another scheme', (key: string) => `Basic ${key}`],
    ['no space', (key: string) => `Bearer${key}`],
    ['nothing behind Bearer', () => 'Bearer'],
    ['a word too many', (key: string) => `Bearer ${key} x`],
    ['a comma', (key: string) => `Bearer ${key},`],
    ['quotes', (key: string) => `Bearer "${key}"`],
    ['a very long key', () => `Bearer ${'k'.repeat(8_000)}`],
    ['letters that are not ASCII', (key: string) => Buffer.from(`Bearer ${key}é`, 'latin1').toString('latin1')],
  ])('an Authorization header with %s', async (_, header) => {
    const answer = await gateway.chat(chatBody(), { key: null, headers: { authorization: header(gateway.key.raw) } })
    expect(envelope(answer)).toMatchObject({ status: 401, type: 'authentication_error', code: null })
  })

  test('the scheme is accepted in any case and with more than one space', async () => {
    const headers = { authorization: `bEARER   ${gateway.key.raw}` }
    expect((await gateway.call('/llm/v1/models', { key: null, headers })).status).toBe(200)
  })
})

describe('402 insufficient_quota INSUFFICIENT_CREDITS', () => {
  test('a company without credits is refused billed calls only', async () => {
    const key = await gateway.mintKey(await gateway.registerCompany())
    const answer = await gateway.chat(chatBody(), { key: key.raw })
    expect(envelope(answer)).toMatchObject({ status: 402, type: 'insufficient_quota', code: 'INSUFFICIENT_CREDITS' })
    expect((await gateway.call('/llm/v1/models', { key: key.raw })).status).toBe(200)
    expect((await gateway.call('/llm/v1/usage', { key: key.raw })).status).toBe(200)
    expect(gateway.provider.calls).toHaveLength(0)
  })

  test('ends with a grant of credits', async () => {
    const companyId = await gateway.registerCompany()
    const key = await gateway.mintKey(companyId)
    expect((await gateway.chat(chatBody(), { key: key.raw })).status).toBe(402)
    await gateway.grant(companyId, '0.000001')
    await until('the grant counts', async () => (await gateway.chat(chatBody(), { key: key.raw })).status === 200)
  })
})

describe('402 insufficient_quota CREDIT_LIMIT_EXCEEDED', () => {
  test('a POSTPAID company beyond its credit limit is refused billed calls, until the limit is raised', async () => {
    const companyId = await gateway.registerCompany({ billingMode: 'POSTPAID' })
    const { raw: key } = await gateway.mintKey(companyId)
    await gateway.setCreditLimit(companyId, 1_000_000n)
    await until('it has used more than its limit', async () => (await gateway.chat(chatBody(), { key })).status === 402)
    const answer = await gateway.chat(chatBody(), { key })
    expect(envelope(answer)).toMatchObject({ status: 402, type: 'insufficient_quota', code: 'CREDIT_LIMIT_EXCEEDED' })
    expect((await gateway.call('/llm/v1/models', { key })).status).toBe(200)
    await gateway.setCreditLimit(companyId, 1_000_000_000n)
    await until('the limit counts', async () => (await gateway.chat(chatBody(), { key })).status === 200)
  })
})

describe('403 permission_error', () => {
  test.each(['svc/chat-premium', 'svc/no-such-alias', 'vendor-model-7b-2026', '', 'constructor', '__proto__'])(
    'LLM_MODEL_NOT_ALLOWED for the model %j with a key for another one',
    async (model) => {
      const key = await gateway.mintKey(gateway.companyId, { models: ['svc/chat-default'] })
      const answer = await gateway.chat(chatBody({ model }), { key: key.raw })
      expect(envelope(answer)).toMatchObject({ status: 403, type: 'permission_error', code: 'LLM_MODEL_NOT_ALLOWED' })
    },
  )

  test('LLM_MODEL_NOT_ALLOWED for an unknown alias with a key for all models', async () => {
    const answer = await gateway.chat(chatBody({ model: 'gpt-9' }))
    expect(envelope(answer)).toMatchObject({ status: 403, code: 'LLM_MODEL_NOT_ALLOWED' })
  })

  test.each([
    ['inference:chat', 'POST', '/chat/completions'],
    ['inference:chat', 'GET', '/models'],
    ['usage:read', 'GET', '/usage'],
  ] as const)('LLM_SCOPE_DENIED without %s for %s %s', async (scope, method, path) => {
    const others = SCOPES.filter((other) => other !== scope)
    const key = await gateway.mintKey(gateway.companyId, { scopes: others })
    const body = method === 'POST' ? chatBody() : undefined
    const answer = await gateway.call(`/llm/v1${path}`, { method, key: key.raw, body })
    expect(envelope(answer)).toMatchObject({ status: 403, type: 'permission_error', code: 'LLM_SCOPE_DENIED' })
    const allowed = await gateway.mintKey(gateway.companyId, { scopes: [scope] })
    expect((await gateway.call(`/llm/v1${path}`, { method, key: allowed.raw, body })).status).toBe(200)
  })
})

describe('403 permission_error PLAN_LIMIT_EXCEEDED', () => {
  const DAY_MS = 86_400_000
  const answerTo = async ({ key }: BilledCompany) => envelope(await gateway.chat(chatBody(), { key: key.raw }))

  test('a POSTPAID company is refused from the due date of an unpaid invoice on, until it is paid', async () => {
    const company = await billedCompany(gateway, 'POSTPAID')
    const prepaid = await billedCompany(gateway, 'PREPAID')
    const dueAt = new Date(clock.now() + DAY_MS).toISOString()
    for (const { finalized } of [company, prepaid]) await finalized({ dueAt })
    clock.advance(DAY_MS - 1)
    expect((await answerTo(company)).status).toBe(200)
    clock.advance(1)
    await until('it is refused', async () => (await answerTo(company)).status === 403)
    expect(await answerTo(company)).toMatchObject({
      status: 403,
      type: 'permission_error',
      code: 'PLAN_LIMIT_EXCEEDED',
    })
    expect((await gateway.call('/llm/v1/models', { key: company.key.raw })).status).toBe(200)
    expect((await gateway.call('/llm/v1/usage', { key: company.key.raw })).status).toBe(200)
    expect((await answerTo(prepaid)).status).toBe(200)
    await company.paid({ dueAt })
    await until('it is released', async () => (await answerTo(company)).status === 200)
  })

  test('a POSTPAID company is refused when a payment failed, until it is paid', async () => {
    const company = await billedCompany(gateway, 'POSTPAID')
    expect((await answerTo(company)).status).toBe(200)
    await company.paymentFailed()
    await until('it is refused', async () => (await answerTo(company)).code === 'PLAN_LIMIT_EXCEEDED')
    await company.paid({ dueAt: null })
    await until('it is released', async () => (await answerTo(company)).status === 200)
  })
})

describe('404 not_found_error', () => {
  test.each([
    ['GET', '/llm/v1/nothing'],
    ['GET', '/'],
    ['GET', CHAT],
    ['PUT', CHAT],
    ['DELETE', '/llm/v1/models'],
    ['POST', '/llm/v1/models'],
    ['OPTIONS', CHAT],
    ['GET', '/llm/v1/models/'],
    ['GET', '/LLM/v1/models'],
    ['GET', '/llm/v1/%6dodels'],
    ['GET', '//llm/v1/models'],
    ['GET', '/llm/v1/../v1/models'],
  ])('%s %s, with and without a key', async (method, path) => {
    for (const key of [null, gateway.key.raw]) {
      const answer = await call(gateway.url, path, { method, key })
      expect(envelope(answer)).toMatchObject({ status: 404, type: 'not_found_error', code: null })
      expect(answer.headers['x-request-id']).toBeDefined()
    }
  })
})

describe('503 api_error LLM_GATEWAY_UNAVAILABLE', () => {
  test('for an alias without a provider, with retry-after', async () => {
    const answer = await gateway.chat(chatBody({ model: 'svc/extract-fast' }))
    expect(envelope(answer)).toMatchObject({ status: 503, type: 'api_error', code: 'LLM_GATEWAY_UNAVAILABLE' })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  })
})

describe('the order of the checks', () => {
  test('key before scope before body before model before balance', async () => {
    const poor = await gateway.registerCompany()
    const noScope = await gateway.mintKey(poor, { scopes: ['usage:read'] })
    const oneModel = await gateway.mintKey(poor, { models: ['svc/chat-cheap'] })
    const ask = async (key: string | null, body: string | object) => (await gateway.chat(body, { key })).status
    expect(await ask('tg_wrong', '{')).toBe(401)
    expect(await ask(noScope.raw, '{')).toBe(403)
    expect(await ask(oneModel.raw, '{')).toBe(400)
    expect(await ask(oneModel.raw, chatBody())).toBe(403)
    expect(await ask(oneModel.raw, chatBody({ model: 'svc/chat-cheap' }))).toBe(402)
  })
})

test('GET /metrics needs the internal token and refuses an API key', async () => {
  const metrics = (key: string | null) => call(gateway.url, '/metrics', { key })
  expect((await metrics(null)).status).toBe(401)
  expect((await metrics(gateway.key.raw)).status).toBe(401)
  const answer = await metrics(INTERNAL_TOKEN)
  expect(answer.status).toBe(200)
  expect(answer.text).toContain('tollgate_gateway_refusals_total{status="402",code="INSUFFICIENT_CREDITS"}')
})
