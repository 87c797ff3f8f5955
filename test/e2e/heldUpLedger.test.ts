import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { APPENDS_SILENT_MS } from '../../services/platform/eventStore/appendsUnderWay.ts'
import { chatBody } from '../support/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../support/gatewayHarness.ts'
import type { HeldLedger } from '../support/heldLedger.ts'
import { steppedClock } from '../support/steppedClock.ts'
import { until } from '../support/until.ts'

const clock = steppedClock(Date.UTC(2026, 2, 1, 12))
let gateway: GatewayHarness
let held: HeldLedger | null = null

beforeAll(async () => {
  gateway = await startGatewayHarness({ clock })
})
afterEach(() => held?.release())
afterAll(() => gateway.close())

test('calls are refused while charges have waited too long to be stored', async () => {
  held = await gateway.holdLedger()
  const waiting = gateway.chat(chatBody())
  await held.anAppendWaits()
  clock.advance(APPENDS_SILENT_MS)
  const beside = gateway.chat(chatBody())
  await until('a second call is asked for', () => gateway.provider.calls.length === 2)
  clock.advance(1)
  const refused = await gateway.chat(chatBody())
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  expect(refused.json.error).toMatchObject({ code: 'LLM_GATEWAY_UNAVAILABLE' })
  expect(refused.json.error.message).toMatch(/Charges cannot be stored/)
  expect(gateway.provider.calls).toHaveLength(2)
  expect((await gateway.call('/llm/v1/models')).status).toBe(200)

  await held.release()
  expect([(await waiting).status, (await beside).status]).toEqual([200, 200])
  expect((await gateway.chat(chatBody())).status).toBe(200)
})
