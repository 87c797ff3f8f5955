import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { collect } from '../../test/support/events/events.ts'
import { type GatewayHarness, startGatewayHarness } from '../../test/support/harness/gatewayHarness.ts'
import { steppedClock } from '../../test/support/time/steppedClock.ts'
import { until } from '../../test/support/time/until.ts'
import { expireKeys } from './expireKeys.ts'
import { startReactor } from './reactor.ts'

const clock = steppedClock(Date.UTC(2026, 2, 1, 12))
const HOUR_MS = 3_600_000
let harness: GatewayHarness

beforeAll(async () => {
  harness = await startGatewayHarness({ clock })
})
afterAll(() => harness.close())

async function aKeyFor(ms: number) {
  const expiresAt = new Date(clock.now() + ms).toISOString()
  const key = await harness.mintKey(harness.companyId, { expiresAt })
  await until('the read model has the key', async () => {
    const sql = 'select 1 from read_models.api_keys where key_id = $1'
    return (await harness.runtime.engines.database.query(sql, [key.keyId])).length === 1
  })
  return { ...key, expiresAt }
}

const eventsOf = (keyId: string) => collect(harness.runtime.engines.store.readStream(streamName('apiKey', keyId)))
const typesOf = async (keyId: string) => (await eventsOf(keyId)).map(({ type }) => type)

describe('an expired key', () => {
  test('is recorded as expired at its expiry time by the reactor', async () => {
    const key = await aKeyFor(HOUR_MS)
    const lasting = await aKeyFor(2 * HOUR_MS)
    const reactor = await startReactor(harness.runtime)
    clock.advance(HOUR_MS)
    await until('it is on record', async () => (await typesOf(key.keyId)).length === 2)
    expect((await eventsOf(key.keyId))[1]).toMatchObject({
      type: 'ApiKeyExpired',
      data: { keyId: key.keyId, expiredAt: key.expiresAt },
      metadata: { actor: { kind: 'system', name: 'reactor' } },
    })
    await reactor.drain(1_000)
    expect(await typesOf(lasting.keyId)).toEqual(['ApiKeyMinted'])
    expect(await typesOf(harness.key.keyId)).toEqual(['ApiKeyMinted'])
  })

  test('is recorded once by two concurrent reactors', async () => {
    const key = await aKeyFor(HOUR_MS)
    clock.advance(HOUR_MS)
    await Promise.all([expireKeys(harness.runtime), expireKeys(harness.runtime)])
    await expireKeys(harness.runtime)
    expect(await typesOf(key.keyId)).toEqual(['ApiKeyMinted', 'ApiKeyExpired'])
  })

  test('stays revoked if it was revoked before', async () => {
    const key = await aKeyFor(HOUR_MS)
    await harness.revoke(key.keyId)
    clock.advance(HOUR_MS)
    await expireKeys(harness.runtime)
    expect(await typesOf(key.keyId)).toEqual(['ApiKeyMinted', 'ApiKeyRevoked'])
  })
})
