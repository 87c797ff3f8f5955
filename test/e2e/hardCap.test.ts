import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { MemoryHolds } from '../../platform/sharedState/holds/memoryHolds.ts'
import type { HoldTable } from '../../platform/sharedState/holds/port.ts'
import { PostgresHolds } from '../../platform/sharedState/holds/postgresHolds.ts'
import { hardCapContract, lowestBalance } from '../contract/hardCap.ts'
import { CHAT, call, callIdOf, chatBody, openStream } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness, type TestKey } from '../support/harness/gatewayHarness.ts'
import { type SecondGateway, startSecondGateway } from '../support/harness/secondGateway.ts'
import { completion, DONE, finishes, says, streamed, usageBlock, whole } from '../support/parties/scriptedProvider.ts'
import { until } from '../support/time/until.ts'
import { answering, EMPTY_CV, PARSE_CV } from './parsingRequests.ts'

hardCapContract('Postgres', async () => ({
  open: async ({ runtime }) => new PostgresHolds(runtime.engines.database, systemClock),
  close: async () => {},
}))

/** Counts its requests and can be made unavailable. */
class CountedHolds extends MemoryHolds {
  placed = 0
  isAway = false

  override async place(...args: Parameters<HoldTable['place']>) {
    this.placed++
    if (this.isAway) throw new Error('away')
    return super.place(...args)
  }
}

describe('a company with a hard cap', () => {
  let harness: GatewayHarness
  let second: SecondGateway
  let holds: CountedHolds
  beforeAll(async () => {
    harness = await startGatewayHarness()
    holds = new CountedHolds(systemClock)
  })
  afterAll(async () => {
    await second?.drain()
    await harness.close()
  })

  /** A company, and a gateway that knows it. */
  async function company(credits: string, hardCap = true): Promise<TestKey> {
    const companyId = await harness.registerCompany({ credits })
    if (hardCap) await harness.setHardCap(companyId, true)
    const key = await harness.mintKey(companyId)
    await second?.drain()
    second = await startSecondGateway(harness, { holds })
    return key
  }
  const chat = (key: TestKey, changes: object = {}) => call(second.url, CHAT, { key: key.raw, body: chatBody(changes) })
  const parse = (key: TestKey) => call(second.url, PARSE_CV, { key: key.raw, body: { text: 'Ada Example, engineer' } })
  const lowest = async ({ companyId }: TestKey) => lowestBalance(await harness.ledgerOf(companyId))
  /** 1,000 bytes and 500 tokens: more than 1.25 credits, less than 1.4. */
  const LONG = { messages: [{ role: 'user', content: 'x'.repeat(1_000) }], max_tokens: 500 }

  test('is refused a call that may cost more than its balance, with the highest possible cost', async () => {
    const key = await company('3')
    // 4,096 output tokens, the limit of the alias, at 1.5 credits per thousand.
    const refused = await chat(key)
    expect(refused.status).toBe(402)
    expect(refused.json.error).toMatchObject({ type: 'insufficient_quota', code: 'INSUFFICIENT_CREDITS' })
    expect(refused.json.error.message).toMatch(/may cost up to 6\.\d+ credits, and the balance is 3: .*hard cap/)
    expect((await chat(key, LONG)).status).toBe(200)
    // The rest of its holds is known at once, like the caller's own calls.
    expect((await chat(key, LONG)).status).toBe(200)
    expect((await chat(key, LONG)).status).toBe(402)
    expect(await lowest(key)).toBe(0)
  })

  test('may owe up to its credit limit if it is POSTPAID, and not a millionth more', async () => {
    const companyId = await harness.registerCompany({ billingMode: 'POSTPAID' })
    await harness.setHardCap(companyId, true)
    await harness.setCreditLimit(companyId, 3_000_000n)
    const key = await harness.mintKey(companyId)
    await second?.drain()
    second = await startSecondGateway(harness, { holds })
    const refused = await chat(key)
    expect(refused.status).toBe(402)
    expect(refused.json.error).toMatchObject({ type: 'insufficient_quota', code: 'CREDIT_LIMIT_EXCEEDED' })
    expect(refused.json.error.message).toMatch(/may cost up to 6\.\d+ credits, and 3 are left of the credit limit/)
    expect((await chat(key, LONG)).status).toBe(200)
    expect((await chat(key, LONG)).status).toBe(200)
    const last = await chat(key, LONG)
    expect([last.status, last.json.error.code]).toEqual([402, 'CREDIT_LIMIT_EXCEEDED'])
    expect(await lowest(key)).toBe(-2.5)
  })

  test('is refused while calls in flight hold the rest, and admitted once they end', async () => {
    const key = await company('2')
    const { promise: ending, resolve: end } = Promise.withResolvers<void>()
    harness.provider.next(
      streamed(says('Good'), ending, finishes(), usageBlock({ prompt_tokens: 10, completion_tokens: 5 }), DONE),
    )
    const stream = await openStream(second.url, CHAT, { key: key.raw, body: chatBody({ ...LONG, stream: true }) })
    await stream.saw('Good')
    const refused = await chat(key, LONG)
    expect(refused.status).toBe(402)
    expect(refused.json.error.message).toMatch(/the balance is 2, and calls in flight hold 1\.3\d+ of it/)
    end()
    expect(await stream.ended).toBe('whole')
    expect((await chat(key, LONG)).status).toBe(200)
  })

  test('gets a hold back when the caller disconnects or the provider fails', async () => {
    const key = await company('2')
    const { promise: ending, resolve: end } = Promise.withResolvers<void>()
    harness.provider.next(streamed(says('Good'), ending))
    const stream = await openStream(second.url, CHAT, { key: key.raw, body: chatBody({ ...LONG, stream: true }) })
    await stream.saw('Good')
    stream.leave()
    harness.provider.always(whole({}, { status: 500 }))
    await until('it is free again', async () => (await chat(key, LONG)).status === 503)
    harness.provider.always(whole(completion()))
    end()
    harness.provider.next(whole('{"no usage": true}'))
    await until('and again', async () => (await chat(key, LONG)).status !== 402)
    await until('and again', async () => (await chat(key, LONG)).status === 200)
    expect(await lowest(key)).toBe(0)
  })

  test('is charged for usage beyond the bound only if the balance covers it', async () => {
    const key = await company('2.6')
    // "Hello" cannot have 1,000 tokens, whatever the provider says.
    const first = await chat(key, { max_tokens: 500 })
    expect([first.status, first.headers['x-credits-charged']]).toEqual([200, '1.25'])
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 500 }
    harness.provider.next(whole(completion({ usage })))
    const second = await chat(key, { max_tokens: 500 })
    expect(second.status).toBe(200)
    expect(Number(second.headers['x-credits-charged'])).toBeLessThan(0.9)
    const [charge] = await harness.eventsOf(callIdOf(second), key.companyId)
    const credits = Number(second.headers['x-credits-charged'])
    expect(charge).toMatchObject({ type: 'CallCharged', data: { amountMicros: String(Math.round(credits * 1e6)) } })
    expect(await lowest(key)).toBe(0)
  })

  test('holds the cost of both model calls of a parse call', async () => {
    const repaired = { prompt_tokens: 1_000, completion_tokens: 4_096 }
    const poor = await company('13')
    expect((await parse(poor)).status).toBe(402)
    const key = await company('30')
    harness.provider.next(whole(answering('no JSON', repaired)), whole(answering(EMPTY_CV, repaired)))
    const answer = await parse(key)
    expect([answer.status, answer.headers['x-credits-charged']]).toEqual([200, String(2 * (0.5 + 4.096 * 1.5))])
  })

  test('is answered 503 and not charged while the holds are unavailable; other companies are served', async () => {
    const key = await company('10')
    const free = await company('10', false)
    holds.isAway = true
    const refused = await chat(key, LONG)
    expect(refused.status).toBe(503)
    expect(refused.headers['retry-after']).toBeDefined()
    expect(refused.json.error.message).toMatch(/hard cap .* cannot be checked/)
    const { placed } = holds
    expect((await chat(free, LONG)).status).toBe(200)
    expect(holds.placed).toBe(placed)
    holds.isAway = false
    expect((await chat(key, LONG)).status).toBe(200)
  })

  test('is capped as soon as the cap is set, and no longer once it is removed', async () => {
    const key = await company('3', false)
    await harness.setHardCap(key.companyId, true)
    const isHeld = async () => {
      const { placed } = holds
      harness.provider.next(whole(completion({ usage: { prompt_tokens: 1, completion_tokens: 1 } })))
      expect((await chat(key, { max_tokens: 1 })).status).toBe(200)
      return holds.placed > placed
    }
    await until('it is capped', isHeld)
    await harness.setHardCap(key.companyId, false)
    await until('it is not', async () => !(await isHeld()))
  })

  test('that is POSTPAID accrues without the cap', async () => {
    const companyId = await harness.registerCompany({ billingMode: 'POSTPAID' })
    await harness.setHardCap(companyId, true)
    const key = await harness.mintKey(companyId)
    await second.drain()
    second = await startSecondGateway(harness, { holds })
    expect((await chat(key)).status).toBe(200)
  })
})
