import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { LedgerWriter } from '../../capabilities/ledger/ledgerWriter.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import type { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { MemoryHolds } from '../../platform/sharedState/holds/memoryHolds.ts'
import { PostgresHolds } from '../../platform/sharedState/holds/postgresHolds.ts'
import { lowestBalance } from '../contract/hardCap.ts'
import { CHAT, call, callIdOf, chatBody } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness, type TestKey } from '../support/harness/gatewayHarness.ts'
import { type SecondGateway, startSecondGateway } from '../support/harness/secondGateway.ts'
import { until } from '../support/time/until.ts'

/** May cost 1.3 credits, and costs 1.25. */
const body = chatBody({ messages: [{ role: 'user', content: 'x'.repeat(1_000) }], max_tokens: 500 })

test('a charge of unknown outcome stays held until it is known, and is released when it is settled', async () => {
  const harness = await startGatewayHarness({ appendTimeoutMs: 150, pursuitMs: 250 })
  onTestFinished(() => harness.close())
  const companyId = await harness.registerCompany({ credits: '2' })
  await harness.setHardCap(companyId, true)
  const key = await harness.mintKey(companyId)
  const second = await startSecondGateway(harness, { holds: new MemoryHolds(systemClock) })
  onTestFinished(() => second.drain())
  const chat = () => call(second.url, CHAT, { key: key.raw, body })
  const ledger = await harness.holdLedger()
  onTestFinished(() => ledger.release())
  const uncertain = await chat()
  expect(uncertain.status).toBe(503)
  const beside = await chat()
  expect(beside.status).toBe(402)
  expect(beside.json.error.message).toMatch(/calls in flight hold 1\.29/)
  await ledger.release()
  await harness.ending(callIdOf(uncertain), companyId)
  await until('there is room again', async () => (await chat()).status === 200)
  expect(lowestBalance(await harness.ledgerOf(companyId))).toBe(0)
})

test('the holds of a dead gateway are released once its lease has expired and its charges are visible', async () => {
  const harness = await startGatewayHarness()
  onTestFinished(() => harness.close())
  const { database } = harness.runtime.engines
  const companyId = await harness.registerCompany({ credits: '2' })
  await harness.setHardCap(companyId, true)
  const key = await harness.mintKey(companyId)
  // As the others see a process that was killed: it never says another word.
  const dead = new PostgresHolds(database, systemClock)
  await dead.enter('dead')
  const seen = { balanceMicros: 2_000_000n, position: await harness.runtime.engines.store.head() }
  await dead.place({ owner: 'dead', companyId, holdId: 'call', amountMicros: 1_300_000n, ...seen })
  const second = await startSecondGateway(harness, { holds: new PostgresHolds(database, systemClock) })
  onTestFinished(() => second.drain())
  const chat = () => call(second.url, CHAT, { key: key.raw, body })
  const refused = await chat()
  expect(refused.json.error?.message).toMatch(/calls in flight hold 1\.3 of it/)
  await database.query("update platform.hold_owners set expires_at = clock_timestamp() where owner = 'dead'")
  await until('it is free', async () => (await chat()).status === 200)
  expect(await database.query('select 1 from platform.holds')).toEqual([])
})

describe('a stored answer whose gateway died', () => {
  let harness: GatewayHarness
  let key: TestKey
  let heir: SecondGateway
  beforeAll(async () => {
    harness = await startGatewayHarness()
  })
  afterAll(() => harness.close())
  beforeEach(async () => {
    const companyId = await harness.registerCompany({ credits: '2' })
    await harness.setHardCap(companyId, true)
    key = await harness.mintKey(companyId)
    heir = await startSecondGateway(harness, { holds: new MemoryHolds(systemClock) })
  })
  afterEach(() => heir.drain())

  const chat = (headers = {}, on: SecondGateway = heir) => call(on.url, CHAT, { key: key.raw, body, headers })
  const NAMED = { 'idempotency-key': 'order-1' }
  const claims = (set: string) => harness.runtime.engines.database.query(`update answer_store.claims ${set}`)
  const LAPSED = "leased_to = clock_timestamp() - interval '1 ms'"

  test('after the charge: is replayed although the balance does not cover a second charge', async () => {
    const first = await chat(NAMED)
    expect(first.status).toBe(200)
    await until('it is settled', async () => (await chat(NAMED)).headers['idempotent-replayed'] === 'true')
    await claims(`set settled = false, ${LAPSED}`)
    const again = await chat(NAMED)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(await harness.ledgerOf(key.companyId)).toHaveLength(2)
  })

  test('before the charge: is charged and sent only if the balance still covers it', async () => {
    // It got no further than this.
    const never = { append: () => new Promise<never>(() => {}), isHeldUp: false }
    const ledger = new LedgerWriter(never as unknown as PursuingAppender)
    const dying = await startSecondGateway(harness, { holds: new MemoryHolds(systemClock), ledger })
    onTestFinished(() => dying.drain(50))
    chat(NAMED, dying).catch(() => {})
    const isKept = 'select 1 from answer_store.claims where answer is not null and not settled'
    await until('it is kept', async () => (await harness.runtime.engines.database.query(isKept)).length === 1)
    // It has no hold, and another call takes the rest of the balance.
    expect((await chat()).status).toBe(200)
    await claims(`set ${LAPSED}`)
    const refused = await chat(NAMED)
    expect([refused.status, refused.json.error?.code]).toEqual([402, 'INSUFFICIENT_CREDITS'])
    await harness.grant(key.companyId, '1')
    const again = await until('there is room', async () => {
      const answer = await chat(NAMED)
      return answer.status === 200 && answer
    })
    expect([again.headers['idempotent-replayed'], again.headers['x-credits-charged']]).toEqual(['true', '1.25'])
    expect(lowestBalance(await harness.ledgerOf(key.companyId))).toBe(0)
    expect((await chat()).status).toBe(402)
  })
})
