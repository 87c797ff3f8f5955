import { EventStoreDBClient } from '@eventstore/db-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readRelayStatus } from '../../platform/feed/relayProgress.ts'
import { collect } from '../support/events/events.ts'
import { callIdOf, chatBody } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { until } from '../support/time/until.ts'

const isProduction = inject('harnessEngines') === 'production'
let gateway: GatewayHarness

beforeAll(async () => {
  gateway = await startGatewayHarness()
})
afterAll(() => gateway.close())

/** Read with the EventStoreDB client itself, without our adapter. */
async function typesOnServer(stream: string): Promise<string[]> {
  const { EVENTSTORE_URL = '', EVENTSTORE_PREFIX } = gateway.runtime.config
  const client = EventStoreDBClient.connectionString(EVENTSTORE_URL)
  const events = await collect(client.readStream(`${EVENTSTORE_PREFIX}${stream}`))
  await client.dispose()
  return events.map(({ event }) => event?.type ?? '')
}

/** The other end-to-end tests would pass on any engines: these check that the run uses the intended ones. */
describe(`a call on ${isProduction ? 'production' : 'embedded'} engines`, () => {
  test('is charged in the event store of the run, and in no other', async () => {
    const callId = callIdOf(await gateway.chat(chatBody()))
    expect(await gateway.eventsOf(callId)).toHaveLength(1)
    const inServer = isProduction ? await typesOnServer(`ledger-${gateway.companyId}`) : []
    const inPostgres = await gateway.runtime.engines.database.query(
      "select 1 from event_store.events where type = 'CallCharged'",
    )
    const charges = inServer.filter((type) => type === 'CallCharged')
    expect({ inServer: charges.length, inPostgres: inPostgres.length }).toEqual(
      isProduction ? { inServer: 1, inPostgres: 0 } : { inServer: 0, inPostgres: 1 },
    )
  })

  test('reaches the read models through the feed of the run', async () => {
    const { position } = await gateway.ending(callIdOf(await gateway.chat(chatBody())))
    const published = async () => (await readRelayStatus(gateway.runtime.engines.database)).position
    if (isProduction) await until('the relay has published it', async () => (await published()) >= position)
    else expect(await published()).toBe('')
    expect((await gateway.call('/llm/v1/usage')).json.totals.requests).toBe(2)
  })

  test('counts against limits that are held where the run holds them', async () => {
    const answer = await gateway.call('/llm/v1/models')
    expect(answer.headers['x-ratelimit-limit-requests']).toBe('100000')
    const counters = ((await gateway.redis?.send('keys', `*rpm:${gateway.key.keyId}*`)) ?? []) as string[]
    expect(counters.length > 0).toBe(isProduction)
  })
})
