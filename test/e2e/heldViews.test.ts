import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { PRICE_LEAD_MS } from '../../contracts/priceLead.ts'
import { companyById } from '../../projections/companies/queries.ts'
import { type BackendHarness, startBackendHarness } from '../support/harness/backendHarness.ts'
import { type Answer, CHAT, call } from '../support/harness/gatewayClient.ts'
import { type HeldViews, startHeldViews } from '../support/harness/heldViews.ts'
import { jumpingClock } from '../support/time/jumpingClock.ts'
import { until } from '../support/time/until.ts'

const BODY = { model: 'svc/chat-default', messages: [{ role: 'user', content: 'hello' }] }

/** As on the wall, until a test jumps ahead. */
const clock = jumpingClock()
let harness: BackendHarness
let gateway: HeldViews

beforeAll(async () => {
  harness = await startBackendHarness({ clock })
  gateway = await startHeldViews(harness)
})
afterAll(async () => {
  await gateway.drain()
  await harness.close()
})
beforeEach(() => gateway.release())

const models = (key: string) => call(gateway.url, '/llm/v1/models', { key })
const chat = (key: string) => call(gateway.url, CHAT, { key, body: BODY })
const mutate = async (mutation: string, token = harness.superAdmin.token) => {
  const { data, errors } = await harness.ask(`mutation { ${mutation} }`, {}, token)
  expect(errors).toBeUndefined()
  return data
}
const mint = async (): Promise<string> =>
  (await mutate('mintApiKey(input: { name: "new" }) { secret }', harness.admin.token)).mintApiKey.secret

/** A company that the read models have. */
async function company(options: { credits?: string } = {}): Promise<string> {
  const companyId = await harness.registerCompany(options)
  const { database } = harness.runtime.engines
  await until('the company is projected', () => companyById(database, companyId))
  return companyId
}

/** Makes the call while the views are held, releases them once the call waits for them, and returns its answer. */
async function whileHeld(asking: () => Promise<Answer>, waits: () => boolean): Promise<Answer> {
  let isAnswered = false
  const answer = asking().finally(() => {
    isAnswered = true
  })
  await until('the call waits for the views', () => isAnswered || waits())
  // A call that does not wait is answered before one that is sent after it.
  await models(harness.key.raw)
  expect(isAnswered).toBe(false)
  gateway.release()
  return answer
}

describe('a key that was just minted', () => {
  const answeredWhileHeld = async (key: string) => {
    const before = gateway.reads.heads
    return whileHeld(
      () => models(key),
      () => gateway.reads.heads > before,
    )
  }

  test('is accepted as soon as the views have it', async () => {
    gateway.hold()
    expect((await answeredWhileHeld(await mint())).status).toBe(200)
  })

  test('is not refused by a gateway of which only the other views have passed the head of the store', async () => {
    gateway.hold('apiKey')
    const key = await mint()
    const before = gateway.passed('ledger')
    await harness.registerCompany({ credits: '1' })
    await until('the views of ledgers have passed the key', () => gateway.passed('ledger') !== before)
    expect((await answeredWhileHeld(key)).status).toBe(200)
  })

  test('is refused like any unknown key once it is revoked', async () => {
    const { mintApiKey } = await mutate(
      'mintApiKey(input: { name: "revoked" }) { secret apiKey { id } }',
      harness.admin.token,
    )
    await mutate(`revokeApiKey(id: "${mintApiKey.apiKey.id}") { id }`, harness.admin.token)
    await until('the revocation is known', async () => (await models(mintApiKey.secret)).status === 401)
    const [revoked, unknown] = [await models(mintApiKey.secret), await models(`tg_${'A'.repeat(43)}`)]
    expect(revoked.status).toBe(401)
    expect(revoked.text).toBe(unknown.text)
  })
})

test('an unknown key is refused at once while the views are held', async () => {
  gateway.hold()
  // The views lack this event, so that a request that waits for them is not refused.
  await mint()
  const random = `tg_${randomBytes(32).toString('base64url')}`
  for (const key of [random, 'tg_wrong', `tg_${'A'.repeat(43)}`]) expect((await models(key)).status).toBe(401)
})

describe('a company that was changed a moment ago', () => {
  const untilRefused = (key: string, status: number) =>
    until(`the call is refused with ${status}`, async () => (await chat(key)).status === status)
  const changed = async (mutation: string, key: string, token?: string): Promise<number> => {
    gateway.hold()
    await mutate(mutation, token)
    const before = gateway.reads.changes
    return (
      await whileHeld(
        () => chat(key),
        () => gateway.reads.changes > before,
      )
    ).status
  }

  test('by a grant of credits is not refused for its balance', async () => {
    const companyId = await company()
    const { raw } = await harness.mintKey(companyId)
    await untilRefused(raw, 402)
    expect(await changed(`grantCredits(companyId: "${companyId}", credits: 5, reason: "test") { id }`, raw)).toBe(200)
  })

  test('by a grant of credits is not refused for its hard cap', async () => {
    const companyId = await company({ credits: '0.000001' })
    await harness.setHardCap(companyId, true)
    const { raw } = await harness.mintKey(companyId)
    await untilRefused(raw, 402)
    expect(await changed(`grantCredits(companyId: "${companyId}", credits: 50, reason: "test") { id }`, raw)).toBe(200)
  })

  test('by its resumption is not refused as suspended', async () => {
    const companyId = await company({ credits: '5' })
    const { raw } = await harness.mintKey(companyId)
    await mutate(`suspendCompany(id: "${companyId}", reason: "test") { id }`)
    await untilRefused(raw, 403)
    expect(await changed(`resumeCompany(id: "${companyId}") { id }`, raw)).toBe(200)
  })

  test('by a raised budget is not refused for it', async () => {
    const input = '{ name: "limited", budget: { credits: 0.000001, period: TOTAL } }'
    const { mintApiKey } = await mutate(`mintApiKey(input: ${input}) { secret apiKey { id } }`, harness.admin.token)
    const { secret: raw, apiKey } = mintApiKey
    await until('a call is charged', async () => (await chat(raw)).status === 200)
    await untilRefused(raw, 402)
    const mutation = `updateApiKey(id: "${apiKey.id}", input: { budget: { credits: 40, period: TOTAL } }) { id }`
    expect(await changed(mutation, raw, harness.admin.token)).toBe(200)
  })

  test('by something else is refused after the views have it', async () => {
    const companyId = await company()
    const { raw } = await harness.mintKey(companyId)
    await untilRefused(raw, 402)
    expect(await changed(`setHardCap(companyId: "${companyId}", hardCap: true) { id }`, raw)).toBe(402)
  })
})

test('a change of a company succeeds even if gateways cannot be notified of it', async () => {
  const companyId = await company()
  const { companyChanges } = harness.runtime.engines.sharedState
  const record = vi.spyOn(companyChanges, 'record').mockRejectedValueOnce(new Error('the shared state is away'))
  await mutate(`grantCredits(companyId: "${companyId}", credits: 5, reason: "test") { id }`)
  expect(record).toHaveBeenCalledOnce()
  record.mockRestore()
})

test('a price that was changed is charged from its moment on, and by a gateway that lags no call is admitted', async () => {
  const { raw } = harness.key
  const charged = async () => (await chat(raw)).headers['x-credits-charged']
  expect(await charged()).toBe('1.25')
  gateway.hold()
  const book = '{ alias: "svc/chat-default", inputPerMillionTokens: 1000, outputPerMillionTokens: 3000 }'
  await mutate(`publishPriceBook(input: { prices: [${book}] }) { effectiveFrom }`)
  expect(await charged()).toBe('1.25')
  clock.jump(PRICE_LEAD_MS)
  let answer: Answer | null = null
  const asking = chat(raw).then((answered) => {
    answer = answered
  })
  await until('the call is answered', () => {
    clock.jump(100)
    return answer
  })
  await asking
  expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  gateway.release()
  await until('the gateway has caught up', async () => (await chat(raw)).status === 200)
  expect(await charged()).toBe('2.5')
})
