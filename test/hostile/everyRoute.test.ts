import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/time/until.ts'
import { attackName, everyAttack, fewerOf, routeName } from './attacks/everyAttack.ts'
import { readFixtures } from './fixtures.ts'
import { everyRoute } from './routes.ts'
import { type HarnessTarget, startHarnessTarget } from './target/harnessTarget.ts'
import { tryCases } from './tryCases.ts'

/** everyRoute.slow.test.ts tries every attack on every route. */
const PER_ROUTE_MIN = 4

let target: HarnessTarget
beforeAll(async () => {
  target = await startHarnessTarget()
})
afterAll(() => target.close())

const all = everyAttack(everyRoute())
const cases = fewerOf(all, PER_ROUTE_MIN)

test('every route is attacked, and every attack is tried', () => {
  expect(new Set(cases.map(routeName))).toEqual(new Set(everyRoute().map(({ name }) => name)))
  expect(new Set(cases.map(attackName))).toEqual(new Set(all.map(attackName)))
})

test('every answer to an attack is a documented one, and none shows a secret or a fault of ours', async () => {
  expect(await tryCases(target, cases)).toEqual([])
  const { stallMs, rssPeakMb } = await target.read()
  const figures = `longest stall ${stallMs.toFixed()} ms, peak memory ${rssPeakMb.toFixed()} MB`
  process.stdout.write(`${cases.length} attacks, attacker in the same process: ${figures}\n`)
})

test.each(readFixtures())('%s, which was a finding once, is answered', async (_, fixture) => {
  expect(await tryCases(target, fixture.cases)).toEqual([])
})

test('after the attacks, no request is in flight and a call is answered', async () => {
  const { harness, credentials } = target
  await until('no request is in flight', async () => {
    const metrics = await harness.call('/metrics', { key: credentials.internal })
    return /^tollgate_gateway_requests_in_flight 0$/m.test(metrics.text)
  })
  expect(
    (await harness.chat({ model: 'svc/chat-default', messages: [{ role: 'user', content: 'Hello' }] })).status,
  ).toBe(200)
})
