import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GeneratorStream, MATCH_SCORES } from '../../../../../capabilities/generator/generatorStream.ts'
import { publishFigures } from '../../../../../capabilities/generator/publishedFigures.ts'
import { releaseLease, takeLease } from '../../../../../platform/leases/leases.ts'
import { PROJECTIONS } from '../../../../../projections/catalogue.ts'
import { collect } from '../../../../../test/support/events/events.ts'
import { STOPPED } from '../../../../../test/support/harness/aiApp.ts'
import { type BackendHarness, startBackendHarness } from '../../../../../test/support/harness/backendHarness.ts'
import { until } from '../../../../../test/support/time/until.ts'
import { ORIGIN } from '../../../../../test/support/transparency/sampleTransparencyLog.ts'
import { StoredTransparencyLog } from '../../../../../test/support/transparency/storedTransparencyLog.ts'

let backend: BackendHarness
beforeAll(async () => {
  backend = await startBackendHarness()
})
afterAll(() => backend.close())

const asRoot = (operation: string, variables: object = {}) => {
  return backend.ask(operation, variables, backend.superAdmin.token)
}

test('every read model is listed with its lag, which is zero once it has caught up', async () => {
  const read = async () =>
    (await asRoot('{ readModels { name version currentVersion lagEvents lagSeconds movedAt } }')).data.readModels
  expect((await read()).map(({ name }: { name: string }) => name)).toEqual(PROJECTIONS.map(({ name }) => name))
  const balances = await until('the balances have caught up', async () =>
    (await read()).find(
      ({ name, lagEvents }: { name: string; lagEvents: number }) => name === 'credit-balances' && lagEvents === 0,
    ),
  )
  const { version } = PROJECTIONS.find(({ name }) => name === 'credit-balances') ?? { version: 0 }
  expect(balances).toMatchObject({ version, currentVersion: version, lagSeconds: 0, movedAt: expect.any(String) })
})

test('leases are listed with holder and times, held ones first', async () => {
  const { database } = backend.runtime.engines
  const epoch = (await takeLease(database, 'a lease that ended', 'a host 1', 60_000)) ?? 0
  await releaseLease(database, 'a lease that ended', epoch)
  await takeLease(database, 'a lease that is held', 'a host 2', 60_000)
  const { leases } = (await asRoot('{ leases { name holder epoch isHeld takenAt expiresAt } }')).data
  const ours = leases.filter(({ name }: { name: string }) => name.startsWith('a lease that'))
  const times = { takenAt: expect.any(String), expiresAt: expect.any(String) }
  expect(ours).toEqual([
    { name: 'a lease that is held', holder: 'a host 2', epoch: 1, isHeld: true, ...times },
    { name: 'a lease that ended', holder: 'a host 1', epoch: 1, isHeld: false, ...times },
  ])
  expect(Date.parse(ours[0].expiresAt) - Date.parse(ours[0].takenAt)).toBeGreaterThanOrEqual(60_000)
})

test('the generator is started and stopped in the name of the super admin', async () => {
  const { store, database } = backend.runtime.engines
  const GENERATOR = '{ isStarted batch figures { isProcessing matches errors matchMs breaker lastMatchAt } }'
  const change = async (name: string) => (await asRoot(`mutation { ${name} ${GENERATOR} }`)).data[name]
  const stopped = { isStarted: false, batch: 0, figures: null }
  expect((await asRoot(`{ generator ${GENERATOR} }`)).data.generator).toEqual(stopped)
  expect(await change('startGenerator')).toEqual({ ...stopped, isStarted: true })
  expect(await change('startGenerator')).toEqual({ ...stopped, isStarted: true })
  const figures = { ...STOPPED, status: 'processing', processed: 7, errors: 2, avgMs: 1.5, breaker: 'open' } as const
  // Figures expire after some seconds unless their process keeps publishing them.
  const publish = () => publishFigures(database, MATCH_SCORES, 1, { ...figures, lastProcessedAtMs: 0 })
  const seen = await until('the figures are shown', async () => {
    await publish()
    const answer = await change('stopGenerator')
    return answer.figures && answer
  })
  expect(seen).toEqual({
    ...stopped,
    figures: {
      ...{ isProcessing: true, matches: 7, errors: 2, matchMs: 1.5, breaker: 'OPEN' },
      lastMatchAt: '1970-01-01T00:00:00.000Z',
    },
  })
  const { clock, ids } = backend.runtime
  const { stream } = new GeneratorStream(MATCH_SCORES, { store, clock, ids })
  const events = (await collect(store.readStream(stream))).map(({ type, metadata }) => [type, metadata.actor])
  const actor = { kind: 'user', id: backend.superAdmin.userId }
  expect(events).toEqual([
    ['GeneratorStarted', actor],
    ['GeneratorStopped', actor],
  ])
})

test('the transparency log is shown with its latest checkpoint and its fault', async () => {
  const { database, storeAsWritten } = backend.runtime.engines
  const read = async () =>
    (await asRoot('{ ledgerLog { entries fault faultEvent checkpoint { origin size root signedAt note } } }')).data
      .ledgerLog
  expect((await read()).checkpoint).toBeNull()
  const transparencyLog = new StoredTransparencyLog(database, storeAsWritten)
  await transparencyLog.seal()
  await transparencyLog.sign()
  const faultEvent = '00000000-0000-4000-8000-000000000000'
  const progress = 'update ledger_log.progress set size = $1, fault = $2, fault_event = $3'
  await database.query(progress, [transparencyLog.size + 2, 'it differs', faultEvent])
  const { checkpoint, ...rest } = await read()
  expect(rest).toEqual({ entries: transparencyLog.size + 2, fault: 'it differs', faultEvent })
  expect(checkpoint).toMatchObject({ origin: ORIGIN, size: transparencyLog.size, signedAt: expect.any(String) })
  expect(checkpoint.note.split('\n').slice(0, 3)).toEqual([ORIGIN, String(transparencyLog.size), checkpoint.root])
})

describe('a trial call', () => {
  const TEST = 'id provider wire status firstByteMs totalMs tokensIn tokensOut costMicros costCurrency error'
  const tested = (args: string) => asRoot(`mutation { testModel(${args}) { ${TEST} } }`)
  beforeAll(async () => {
    await until('the gateway has reported its routes', async () => {
      const { models } = (await asRoot('{ models { providers { name wires } } }')).data
      return models.some(({ providers }: { providers: readonly object[] }) => providers.length > 0)
    })
  })

  test('is made by a gateway, and charged to no company', async () => {
    const before = await backend.runtime.engines.store.head()
    const { testModel } = (await tested('alias: "svc/chat-default"')).data
    expect(testModel).toEqual({
      ...{ id: expect.any(String), provider: 'vendor-one', wire: 'chat', status: 200, error: null },
      ...{ firstByteMs: expect.any(Number), totalMs: expect.any(Number), tokensIn: 1_000, tokensOut: 500 },
      ...{ costMicros: null, costCurrency: null },
    })
    expect(backend.provider.callOf(testModel.id).path).toBe('/v1/chat/completions')
    expect(await backend.runtime.engines.store.head()).toBe(before)
    const stored = await backend.runtime.engines.database.query(
      'select alias, asked_by from platform.test_calls where call_id = $1',
      [testModel.id],
    )
    expect(stored).toEqual([{ alias: 'svc/chat-default', askedBy: backend.superAdmin.userId }])
  })

  test.each([
    ['alias: "svc/unknown"', 'NOT_FOUND'],
    ['alias: "svc/chat-default", provider: "vendor-two"', 'NOT_FOUND'],
    ['alias: "svc/chat-default", wire: "telegraph"', 'BAD_USER_INPUT'],
  ])('with %s is %s', async (args, code) => {
    expect((await tested(args)).code).toBe(code)
  })

  test('is RATE_LIMITED after too many in a minute', async () => {
    await backend.runtime.engines.database.query(
      `insert into platform.test_calls (call_id, alias, provider, wire, asked_by, asked_at, taken_at)
       select gen_random_uuid(), 'a', 'b', 'chat', $1, clock_timestamp(), clock_timestamp() from generate_series(1, 20)`,
      [backend.superAdmin.userId],
    )
    const { code, errors } = await tested('alias: "svc/chat-default"')
    expect([code, errors?.[0].message]).toEqual(['RATE_LIMITED', expect.stringMatching(/try again in \d+ s/)])
  })
})
