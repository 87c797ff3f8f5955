import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BackendHarness, type Person, startBackendHarness } from '../support/harness/backendHarness.ts'
import { CHAT, call, callIdOf, chatBody, openStream } from '../support/harness/gatewayClient.ts'
import type { TestKey } from '../support/harness/gatewayHarness.ts'
import { type SecondGateway, startSecondGateway } from '../support/harness/secondGateway.ts'
import { DONE, finishes, says, streamed, usageBlock } from '../support/parties/scriptedProvider.ts'
import { until } from '../support/time/until.ts'
import { PARSE_CV } from './parsingRequests.ts'

/** A company with a key and its owner. */
type Customer = { readonly companyId: string; readonly key: TestKey; readonly owner: Person }

let backend: BackendHarness
beforeAll(async () => {
  backend = await startBackendHarness()
})
afterAll(() => backend.close())

async function customer(credits: string): Promise<Customer> {
  const companyId = await backend.registerCompany({ credits })
  const owner = await backend.register(`owner@${companyId}.example`, companyId)
  const key = await backend.mintKey(companyId)
  const company = { companyId, key, owner }
  // Each read model, and the gateway's view of the balance, catches up on its own.
  await until('the company is shown', async () =>
    (await asRoot('{ companies { id } }')).data.companies.some(({ id }: { id: string }) => id === companyId),
  )
  await until('its balance is shown', async () => (await balanceOf(company)) !== '0')
  await until('its grant is listed', async () => (await transactions(company)).length === 1)
  await until('the gateway knows its balance', async () => {
    const { json } = await call(backend.gatewayUrl, '/llm/v1/usage', { key: key.raw })
    return json.balance.credits > 0
  })
  return company
}

const BALANCE = '{ creditBalance { credits amountMicros } }'
const TRANSACTION = 'id type credits amountMicros description callId corrects'
const asOwner = (owner: Person, query: string) => backend.ask(query, {}, owner.token)
const asRoot = (query: string, variables: object = {}) => backend.ask(query, variables, backend.superAdmin.token)
const adjust = (companyId: string, credits: number, more: object = {}) =>
  asRoot(
    `mutation ($companyId: ID!, $credits: Float!, $reason: String!, $corrects: ID, $idempotencyKey: String) {
      adjustCredits(companyId: $companyId, credits: $credits, reason: $reason, corrects: $corrects,
        idempotencyKey: $idempotencyKey) { ${TRANSACTION} } }`,
    { companyId, credits, reason: 'granted twice', ...more },
  )
const balanceOf = async ({ owner }: Customer) => (await asOwner(owner, BALANCE)).data.creditBalance.amountMicros
const transactions = async ({ owner }: Customer) =>
  (await asOwner(owner, `{ creditTransactions { nodes { ${TRANSACTION} } } }`)).data.creditTransactions.nodes
const adjustments = async ({ companyId }: Customer) =>
  (await backend.ledgerOf(companyId)).filter(({ type }) => type === 'CreditsAdjusted')
const chat = ({ key }: Customer, gatewayUrl = backend.gatewayUrl) =>
  call(gatewayUrl, CHAT, { key: key.raw, body: chatBody() })

describe('an adjustment', () => {
  test('adds or takes credits and names who made it, and calls are refused once nothing is left', async () => {
    const company = await customer('10')
    expect((await chat(company)).status).toBe(200)
    const added = await adjust(company.companyId, 0.000001, { reason: 'goodwill' })
    expect(added.data.adjustCredits).toMatchObject({
      ...{ type: 'ADJUSTMENT', credits: 0.000001, amountMicros: '1', description: 'goodwill' },
      ...{ callId: null, corrects: null },
    })
    const taken = await adjust(company.companyId, -25.5)
    expect(taken.data.adjustCredits).toMatchObject({ credits: -25.5, amountMicros: '-25500000' })
    const { adjustCredits } = taken.data
    await until('it is listed', async () =>
      (await transactions(company)).some(({ id }: { id: string }) => id === adjustCredits.id),
    )
    await until('the balance is below zero', async () => (await balanceOf(company)).startsWith('-'))
    await until('calls are refused', async () => (await chat(company)).status === 402)
    expect(await adjustments(company)).toMatchObject([
      { data: { adjustedBy: backend.superAdmin.userId, amountMicros: '1', corrects: null } },
      { data: { adjustedBy: backend.superAdmin.userId, amountMicros: '-25500000' } },
    ])
    await adjust(company.companyId, 100)
    await until('calls are accepted again', async () => (await chat(company)).status === 200)
  })

  test.each([
    [0, /must not be zero/],
    [-0, /must not be zero/],
    [0.0000001, /six decimals/],
    [1e21, /six decimals/],
    [2e12, /at most/],
    [-2e12, /at most/],
  ])('of %s credits is refused', async (credits, message) => {
    const { code, errors } = await adjust(backend.companyId, credits)
    expect(code).toBe('BAD_USER_INPUT')
    expect(errors?.[0].message).toMatch(message)
  })

  test('of a company or a transaction that does not exist is NOT_FOUND', async () => {
    expect((await adjust(randomUUID(), 1)).code).toBe('NOT_FOUND')
    const [one, other] = [await customer('1'), await customer('1')]
    const [grant] = await transactions(one)
    expect((await adjust(other.companyId, -1, { corrects: grant.id })).code).toBe('NOT_FOUND')
    expect((await adjust(one.companyId, -1, { corrects: randomUUID() })).code).toBe('NOT_FOUND')
  })

  test('that is sent many times at once is made once, and so is one under a key', async () => {
    const company = await customer('10')
    const { companyId } = company
    const many = await Promise.all(Array.from({ length: 5 }, () => adjust(companyId, -1)))
    expect(new Set(many.map(({ data }) => data.adjustCredits.id)).size).toBe(1)
    expect((await adjust(companyId, -1)).data.adjustCredits.id).toBe(many[0]?.data.adjustCredits.id)
    expect((await adjust(companyId, -1, { reason: 'another reason' })).code).toBeUndefined()
    const keyed = { idempotencyKey: 'ticket 7' }
    const first = await adjust(companyId, -1, keyed)
    expect(await adjust(companyId, -1, keyed)).toEqual(first)
    expect((await adjust(companyId, -2, keyed)).code).toBe('BAD_USER_INPUT')
    expect((await adjust(companyId, -1, { idempotencyKey: 'ticket 8' })).code).toBeUndefined()
    expect(await adjustments(company)).toHaveLength(4)
    await until('the balance is 6', async () => (await balanceOf(company)) === '6000000')
  })

  test('cannot correct an entry by more than it was worth, not even with two corrections at once', async () => {
    const company = await customer('10')
    const { companyId } = company
    const [grant] = await transactions(company)
    const corrects = grant.id
    expect((await adjust(companyId, -10.5, { corrects })).errors?.[0].message).toMatch(/between 0 and 10/)
    expect((await adjust(companyId, 1, { corrects })).code).toBe('BAD_USER_INPUT')
    const replies = await Promise.all(
      [1, 2, 3].map((n) => adjust(companyId, -4, { corrects, reason: `correction ${n}` })),
    )
    expect(replies.map(({ code }) => code ?? 'made').toSorted()).toEqual(['BAD_USER_INPUT', 'made', 'made'])
    const [made] = replies.filter(({ data }) => data)
    const wrong = await adjust(companyId, 1, { corrects: made?.data.adjustCredits.id })
    expect(wrong.errors?.[0].message).toMatch(`name the entry ${corrects}`)
    // The same correction again is a repetition; another one undoes it.
    const reason = made?.data.adjustCredits.description
    expect((await adjust(companyId, -4, { corrects, reason })).data).toEqual(made?.data)
    expect((await adjust(companyId, 8, { corrects, reason: 'it was right' })).code).toBeUndefined()
    await until('the balance is 10', async () => (await balanceOf(company)) === '10000000')
    expect((await adjustments(company)).map(({ data }) => 'correction' in data && data.correction)).toEqual([1, 2, 3])
  })

  test('reverses a charge, but not a free call', async () => {
    const company = await customer('10')
    const callId = callIdOf(await chat(company))
    const charge = await until('the charge is listed', async () =>
      (await transactions(company)).find((one: { callId: string }) => one.callId === callId),
    )
    const back = await adjust(company.companyId, -charge.credits, { corrects: charge.id, reason: 'a wrong answer' })
    expect(back.data.adjustCredits).toMatchObject({ corrects: charge.id, credits: -charge.credits })
    await until('the balance is 10', async () => (await balanceOf(company)) === '10000000')
    expect((await adjust(company.companyId, 0.000001, { corrects: charge.id })).code).toBe('BAD_USER_INPUT')
  })
})

describe('a grant', () => {
  const grant = (companyId: string, credits: number, more: object = {}) =>
    asRoot(
      `mutation ($companyId: ID!, $credits: Float!, $reason: String!, $idempotencyKey: String) {
        grantCredits(companyId: $companyId, credits: $credits, reason: $reason, idempotencyKey: $idempotencyKey) {
          ${TRANSACTION} } }`,
      { companyId, credits, reason: 'a gift', ...more },
    )
  const grants = async (companyId: string) =>
    (await backend.ledgerOf(companyId)).filter(({ type }) => type === 'CreditsGranted')

  test('under a key is made once, also if it is sent at once, and refused with other data', async () => {
    const { companyId } = await customer('10')
    const keyed = { idempotencyKey: 'order 7' }
    const many = await Promise.all(Array.from({ length: 5 }, () => grant(companyId, 2.5, keyed)))
    expect(new Set(many.map(({ data }) => data.grantCredits.id)).size).toBe(1)
    expect(await grant(companyId, 2.5, keyed)).toEqual(many[0])
    for (const other of [
      await grant(companyId, 3, keyed),
      await grant(companyId, 2.5, { ...keyed, reason: 'other' }),
    ]) {
      expect(other.errors?.[0].message).toMatch(/idempotencyKey order 7 was used for another grant/)
    }
    expect(await grants(companyId)).toHaveLength(2)
    expect((await grant(companyId, 2.5, { idempotencyKey: 'order 8' })).code).toBeUndefined()
    const another = await customer('10')
    expect((await grant(another.companyId, 3, keyed)).code).toBeUndefined()
    expect(await grants(another.companyId)).toHaveLength(2)
    await grant(companyId, 2.5)
    await grant(companyId, 2.5)
    expect(await grants(companyId)).toHaveLength(5)
  })

  test('is refused under a key that is empty, longer than 255 characters or not on one line', async () => {
    const { companyId } = await customer('10')
    for (const [idempotencyKey, message] of [
      ['', /idempotencyKey must not be empty/],
      [' ', /idempotencyKey must not be empty/],
      ['x'.repeat(256), /idempotencyKey must have at most 255 characters/],
      ['order\n7', /idempotencyKey must not contain control characters/],
    ] as const) {
      const { code, errors } = await grant(companyId, 1, { idempotencyKey })
      expect(code).toBe('BAD_USER_INPUT')
      expect(errors?.[0].message).toMatch(message)
    }
    expect((await grant(companyId, 1, { idempotencyKey: 'x'.repeat(255) })).code).toBeUndefined()
    expect((await grant(companyId, 2, { idempotencyKey: `${'x'.repeat(254)}y` })).code).toBeUndefined()
    expect(await grants(companyId)).toHaveLength(3)
  })

  test.each([90071992547.40993, 1e300, 0.0000001])('of %s credits is refused', async (credits) => {
    const { code, errors } = await grant(backend.companyId, credits)
    expect(code).toBe('BAD_USER_INPUT')
    expect(errors?.[0].message).toMatch(/six decimals/)
  })
})

describe('a suspended company', () => {
  const suspend = (companyId: string, reason = 'an unpaid debt') =>
    asRoot(`mutation { suspendCompany(id: "${companyId}", reason: "${reason}") { suspendedAt suspendedReason } }`)
  const resume = (companyId: string) =>
    asRoot(`mutation { resumeCompany(id: "${companyId}") { suspendedAt suspendedReason } }`)
  const SUSPENDED = { type: 'permission_error', code: 'COMPANY_SUSPENDED', message: expect.stringMatching(/suspended/) }

  let second: SecondGateway
  beforeAll(async () => {
    second = await startSecondGateway(backend, { holds: backend.runtime.engines.sharedState.holds })
  })
  afterAll(() => second.drain())

  test('is refused by every gateway on every billed API, and may read', async () => {
    const company = await customer('1000')
    const { key, companyId } = company
    for (const url of [backend.gatewayUrl, second.url]) {
      await until('the gateway knows it', async () => (await chat(company, url)).status === 200)
    }
    expect((await suspend(companyId)).data.suspendCompany).toEqual({
      suspendedAt: expect.any(String),
      suspendedReason: 'an unpaid debt',
    })
    const user = [{ role: 'user', content: 'Hello' }]
    const costly: [string, object][] = [
      ['/llm/v1/chat/completions', chatBody()],
      ['/llm/v1/chat/completions', chatBody({ stream: true })],
      ['/llm/v1/chat/completions', chatBody({ messages: [{ role: 'user', content: 'x'.repeat(100_000) }] })],
      ['/llm/v1/completions', { model: 'svc/chat-default', prompt: 'Hello' }],
      ['/llm/v1/embeddings', { model: 'svc/embed-default', input: 'Hello' }],
      ['/llm/v1/responses', { model: 'svc/chat-default', input: 'Hello' }],
      [PARSE_CV, { text: 'Ada' }],
      ['/llm/v1/parse/jd', { text: 'Welder' }],
    ]
    for (const url of [backend.gatewayUrl, second.url]) {
      await until('the gateway refuses it', async () => (await chat(company, url)).status === 403)
      for (const [path, body] of costly) {
        const { status, json } = await call(url, path, { key: key.raw, body })
        expect({ path, status, error: json.error }).toEqual({ path, status: 403, error: SUSPENDED })
      }
      for (const path of ['/llm/v1/messages', '/llm/v1/messages/count_tokens']) {
        const body = { model: 'svc/chat-default', max_tokens: 9, messages: user }
        const { status, json } = await call(url, path, { key: key.raw, body })
        expect({ path, status, json }).toEqual({ path, status: 403, json: { type: 'error', error: SUSPENDED } })
      }
      for (const path of ['/llm/v1/models', '/llm/v1/usage']) {
        expect((await call(url, path, { key: key.raw })).status).toBe(200)
      }
    }
    const tool = { name: 'chat', arguments: chatBody() }
    const { json } = await call(backend.gatewayUrl, '/llm/v1/mcp', {
      key: key.raw,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool },
    })
    expect(json.result.isError).toBe(true)
    expect(JSON.parse(json.result.content[0].text)).toEqual(SUSPENDED)

    expect((await resume(companyId)).data.resumeCompany).toEqual({ suspendedAt: null, suspendedReason: null })
    for (const url of [backend.gatewayUrl, second.url]) {
      await until('calls are accepted again', async () => (await chat(company, url)).status === 200)
    }
  })

  test('gets running streams delivered and charged', async () => {
    const company = await customer('1000')
    const { promise: ending, resolve: end } = Promise.withResolvers<void>()
    const usage = usageBlock({ prompt_tokens: 10, completion_tokens: 5 })
    backend.provider.next(streamed(says('Good'), ending, finishes(), usage, DONE))
    const stream = await openStream(backend.gatewayUrl, CHAT, {
      key: company.key.raw,
      body: chatBody({ stream: true }),
    })
    await stream.saw('Good')
    await suspend(company.companyId)
    await until('new calls are refused', async () => (await chat(company)).status === 403)
    end()
    expect(await stream.ended).toBe('whole')
    expect(stream.text()).toContain('[DONE]')
    expect(await backend.ending(callIdOf(stream), company.companyId)).toMatchObject({ type: 'CallCharged' })
  })

  test('may read and save in GraphQL, but not spend', async () => {
    const { companyId, owner } = await customer('1000')
    await suspend(companyId)
    const codeOf = async (operation: string) => (await asOwner(owner, operation)).code
    const refused = [
      'mutation { mintApiKey(input: { name: "k" }) { secret } }',
      `mutation { createCheckout(input: { packId: "${randomUUID()}" }) { url } }`,
      'mutation { registerTalent(input: { name: "Ada" }) { id } }',
      'mutation { postJob(input: { title: "Welder" }) { id } }',
    ]
    await until('it is refused', async () => (await codeOf(refused[0] ?? '')) === 'FORBIDDEN')
    for (const operation of refused) {
      const { errors } = await asOwner(owner, operation)
      expect(errors?.[0]).toMatchObject({
        message: expect.stringMatching(/your company is suspended/),
        extensions: { code: 'FORBIDDEN', reason: 'COMPANY_SUSPENDED' },
      })
    }
    for (const operation of [BALANCE, '{ apiKeys { id } invoices { id } usage { nodes { group } } }']) {
      expect(await codeOf(operation)).toBeUndefined()
    }
    expect(
      await codeOf(`mutation { setHardCap(companyId: "${companyId}", hardCap: true) { hardCap } }`),
    ).toBeUndefined()
    await resume(companyId)
    await until('it may mint again', async () => (await codeOf(refused[0] ?? '')) === undefined)
  })
})

test("only the owner may set the company's hard cap", async () => {
  const { companyId, owner } = await customer('0.5')
  const set = (person: Person) =>
    asOwner(person, `mutation { setHardCap(companyId: "${companyId}", hardCap: true) { id hardCap } }`)
  const admin = await backend.register(`admin@${companyId}.example`, companyId)
  expect((await set(admin)).code).toBe('FORBIDDEN')
  expect((await set(backend.admin)).code).toBe('NOT_FOUND')
  expect((await set(owner)).data.setHardCap).toEqual({ id: companyId, hardCap: true })
  const key = await backend.mintKey(companyId)
  await until('a call that may cost more than the balance is refused', async () => {
    const { status, json } = await call(backend.gatewayUrl, CHAT, { key: key.raw, body: chatBody() })
    return status === 402 && /hard cap/.test(json.error.message)
  })
})

test('the limit of a low balance is an amount, off, or the default', async () => {
  const { owner } = await customer('1')
  const set = (args: string) => asOwner(owner, `mutation { setNoticeSettings${args} { lowBalance lowBalanceCredits } }`)
  const shown = async () =>
    (await asOwner(owner, '{ noticeSettings { lowBalance lowBalanceCredits } }')).data.noticeSettings
  expect(await shown()).toEqual({ lowBalance: 'DEFAULT', lowBalanceCredits: null })
  for (const [args, expected] of [
    ['(lowBalanceCredits: 12.5)', { lowBalance: 'AMOUNT', lowBalanceCredits: 12.5 }],
    ['(lowBalanceCredits: null)', { lowBalance: 'OFF', lowBalanceCredits: null }],
    ['', { lowBalance: 'DEFAULT', lowBalanceCredits: null }],
  ] as const) {
    expect((await set(args)).data.setNoticeSettings).toEqual(expected)
    await until('it is shown', async () => (await shown()).lowBalance === expected.lowBalance)
    expect(await shown()).toEqual(expected)
  }
  for (const wrong of ['0', '-1', '0.0000001']) {
    expect((await set(`(lowBalanceCredits: ${wrong})`)).code).toBe('BAD_USER_INPUT')
  }
})
