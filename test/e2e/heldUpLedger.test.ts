import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { APPENDS_SILENT_MS } from '../../platform/eventStore/appendsUnderWay.ts'
import type { HeldLedger } from '../support/eventStores/heldLedger.ts'
import { chatBody } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { jumpingClock } from '../support/time/jumpingClock.ts'
import { until } from '../support/time/until.ts'

const clock = jumpingClock()
/** A longer jump looks like a gateway that was stopped itself. */
const JUMP_MS = 100
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
  const beside = gateway.chat(chatBody())
  await until('a second call is asked for', () => gateway.provider.calls.length === 2)
  for (let ms = 0; ms <= APPENDS_SILENT_MS; ms += JUMP_MS) clock.jump(JUMP_MS)
  const refused = await gateway.chat(chatBody())
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  expect(refused.json.error).toMatchObject({ code: 'LLM_GATEWAY_UNAVAILABLE' })
  expect(refused.json.error.message).toMatch(/Charges cannot be stored/)
  expect(gateway.provider.calls).toHaveLength(2)
  expect((await gateway.call('/llm/v1/models')).status).toBe(200)

  await held.release()
  expect([(await waiting).status, (await beside).status]).toEqual([200, 200])
  await until('calls are taken again', async () => (await gateway.chat(chatBody())).status === 200)
})
