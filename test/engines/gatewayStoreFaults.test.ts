import '../support/engines/runOnProduction.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fault } from '../support/eventStores/eventStoreNode/faults.ts'
import type { EventStoreNode } from '../support/eventStores/eventStoreNode/node.ts'
import { callIdOf, chatBody } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { until } from '../support/time/until.ts'

let gateway: GatewayHarness
let node: EventStoreNode

beforeAll(async () => {
  gateway = await startGatewayHarness({ appendTimeoutMs: 500, standIn: true })
  if (gateway.storeNode) node = gateway.storeNode
})
afterAll(() => gateway.close())

const usage = async () => (await gateway.call('/llm/v1/usage')).json

test.each<[string, Fault]>([
  ['stores it and does not say so', 'loseAck'],
  ['neither stores nor answers it', 'neverAnswer'],
  ['drops its connections before it is stored', 'dropBefore'],
  ['drops its connections when it is stored', 'dropAfter'],
  ['restarts before it is stored', 'restartBefore'],
  ['restarts when it is stored', 'restartAfter'],
])('a call whose charge meets an event store that %s is served and charged once', async (_, fault) => {
  node.faults.arm({ fault })
  const answer = await gateway.chat(chatBody())
  expect(node.faults.struck.get(fault)).toBe(1)
  expect(answer.status).toBe(200)
  expect((await gateway.eventsOf(callIdOf(answer))).map(({ type }) => type)).toEqual(['CallCharged'])
})

test('a charge that is stored twice, by a late first append whose id was forgotten, counts once', async () => {
  const companyId = await gateway.registerCompany({ credits: '100' })
  const key = await gateway.mintKey(companyId)
  const usageOf = async () => (await gateway.call('/llm/v1/usage', { key: key.raw })).json
  await until('the credits are there', async () => (await usageOf()).balance.credits === 100)
  node.faults.arm({ fault: 'holdAppend' })
  const callId = callIdOf(await gateway.chat(chatBody(), { key: key.raw }))
  node.faults.forgetsIds = true
  node.faults.release()
  node.faults.disarm()
  const stored = node.events.filter(({ type, data }) => type === 'CallCharged' && data.includes(callId))
  expect(stored.map(({ id }) => id)).toEqual([stored[0]?.id, stored[0]?.id])
  // The next event came through the feed after both of them.
  await gateway.grant(companyId, '1')
  await until('the grant is there', async () => (await usageOf()).balance.credits >= 99.75)
  expect(await usageOf()).toMatchObject({ totals: { requests: 1, credits: 1.25 }, balance: { credits: 99.75 } })
})

test('the read models show what was charged under faults, and the next call is answered', async () => {
  const charged = (await gateway.ledgerOf(gateway.companyId)).filter(({ type }) => type === 'CallCharged').length
  expect((await gateway.chat(chatBody())).status).toBe(200)
  expect(await usage()).toMatchObject({
    totals: { requests: charged + 1, failures: 0 },
    balance: { credits: 1_000 - 1.25 * (charged + 1) },
  })
})
