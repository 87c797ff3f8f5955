import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { hasPassed } from '../../projections/runner/readAfterWrite.ts'
import { openViews } from '../../services/gateway/views/gatewayViews.ts'
import { chatBody } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { steppedClock } from '../support/time/steppedClock.ts'
import { until } from '../support/time/until.ts'

const DAY_MS = 86_400_000
const START_MS = Date.UTC(2026, 2, 10, 12)
/** Each call costs 1.25 credits. */
const BUDGET = { amountMicros: 1_000_000n, period: 'DAY' } as const
const clock = steppedClock(START_MS)
let gateway: GatewayHarness

beforeAll(async () => {
  gateway = await startGatewayHarness({ clock })
})
afterAll(() => gateway.close())

/** Calls until the budget is used up: after one call, or with a hard cap after none if a call may cost more. */
const spend = async (key: string) => {
  const { status } = await gateway.chat(chatBody({ max_tokens: 1 }), { key })
  return status
}

describe.each([
  ['without', false],
  ['with', true],
])('a clock that was ahead, %s a hard cap', (_, hardCap) => {
  test('does not give a key a second budget for days that are repeated', async () => {
    clock.set(START_MS)
    const companyId = await gateway.registerCompany({ credits: '1000' })
    const budget = { ...BUDGET, amountMicros: hardCap ? 2_000_000n : BUDGET.amountMicros }
    // Before the key, so that a gateway that knows the key knows it, too.
    await gateway.setHardCap(companyId, hardCap)
    const { raw } = await gateway.mintKey(companyId, { budget })
    await gateway.untilCredited(raw, 1_000)
    await until('the budget of the first day is used up', async () => (await spend(raw)) === 402)
    const spent = (await gateway.ledgerOf(companyId)).filter(({ type }) => type === 'CallCharged').length
    for (const days of [1, 2]) {
      clock.set(START_MS + days * DAY_MS)
      expect(await spend(raw)).toBe(200)
      await until('the budget of a later day is used up', async () => (await spend(raw)) === 402)
    }
    clock.set(START_MS)
    for (let n = 0; n < 3; n++) expect(await spend(raw)).toBe(402)
    const charged = (await gateway.ledgerOf(companyId)).filter(({ type }) => type === 'CallCharged').length
    expect(charged).toBe(3 * spent)
  })
})

test('a gateway that starts while the clock is ahead knows what was spent on the right day', async () => {
  clock.set(START_MS)
  const companyId = await gateway.registerCompany({ credits: '1000' })
  const { raw, keyId } = await gateway.mintKey(companyId, { budget: BUDGET })
  await gateway.untilCredited(raw, 1_000)
  await until('the budget is used up', async () => (await spend(raw)) === 402)
  const { engines, log } = gateway.runtime
  const head = await engines.store.head()
  for (const name of ['key-spend', 'api-keys']) {
    await until(`${name} is projected`, () => hasPassed(engines.database, name, head, systemClock))
  }
  clock.set(START_MS + 30 * DAY_MS)
  const views = await openViews({ ...engines, clock, log })
  expect(views.keySpend.spentMicros([keyId], '2026-03-10')).toBe(1_250_000n)
  expect(views.keySpend.spentMicros([keyId], '2026-03')).toBe(1_250_000n)
  await views.stop()
})
