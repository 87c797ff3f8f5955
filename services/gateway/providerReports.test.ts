import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshReports } from '../../capabilities/providers/gatewayReports.ts'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import { ProviderWatch } from '../../capabilities/providers/providerWatch.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import type { PostgresDatabase } from '../../platform/postgres/database.ts'
import { openTestDatabase } from '../../test/support/databases/openTestDatabase.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { until } from '../../test/support/time/until.ts'
import { ProviderReports } from './providerReports.ts'

const log = pino({ level: 'silent' })
const provider = {
  ...{ name: 'first', baseUrl: 'http://127.0.0.1:9/v1', model: 'm', apiKey: null },
  ...{ connectTimeoutMs: 1, firstByteTimeoutMs: 1, idleTimeoutMs: 1 },
}
const table: ProviderTable = {
  'acme/fast': { contextLength: 9, maxOutputTokens: 7, strategy: 'weighted', providers: [{ ...provider, weight: 2 }] },
  'acme/slow': { maxOutputTokens: 8, providers: [{ ...provider, name: 'second', wires: ['messages'] }] },
}
const ROUTES = [
  {
    ...{ alias: 'acme/fast', strategy: 'weighted', contextLength: 9, maxOutputTokens: 7 },
    wires: ['chat', 'completions', 'embeddings'],
    providers: [{ name: 'first', weight: 2, wires: ['chat', 'completions', 'embeddings'] }],
  },
  {
    ...{ alias: 'acme/slow', strategy: 'order', contextLength: null, maxOutputTokens: 8 },
    ...{ wires: ['messages'], providers: [{ name: 'second', weight: 1, wires: ['messages'] }] },
  },
]

let database: PostgresDatabase
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('migrated'))
})
afterAll(() => close())

function open(clock: ManualClock, database: Pick<PostgresDatabase, 'query'>) {
  const watch = new ProviderWatch({ clock, log, metrics: createMetrics() })
  const client = {
    breakerStates: () =>
      new Map([
        ['first', 'open'],
        ['second', 'closed'],
      ] as const),
  }
  return {
    watch,
    reports: new ProviderReports({ database, clock, ids: systemIds, log, client, watch, table: () => table }),
  }
}

test('a gateway reports at its start and every 5 s, and withdraws its report when it stops', async () => {
  const clock = new ManualClock()
  const { watch, reports } = open(clock, database)
  const [report] = await until('the first report', async () => {
    const found = await freshReports(database)
    return found.length > 0 ? found : null
  })
  expect(report).toEqual({
    routes: ROUTES,
    providers: [
      { provider: 'first', answers: 0, errors: 0, firstByteMs: null, breaker: 'open' },
      { provider: 'second', answers: 0, errors: 0, firstByteMs: null, breaker: 'closed' },
    ],
  })
  watch.answered('acme/fast', 'second', -40)
  await clock.advance(5_000)
  const second = { provider: 'second', answers: 1, errors: 0, firstByteMs: 40, breaker: 'closed' }
  await until('the second report', async () => (await freshReports(database))[0]?.providers[1]?.answers === 1)
  expect((await freshReports(database))[0]?.providers[1]).toEqual(second)
  await reports.stop()
  expect(await freshReports(database)).toEqual([])
})

test('a database that does not answer gets one request at a time, and calls are not affected', async () => {
  const clock = new ManualClock()
  const { promise, reject } = Promise.withResolvers<never>()
  let queries = 0
  const { reports } = open(clock, {
    query: () => {
      queries++
      return promise
    },
  })
  await clock.advance(60_000)
  expect(queries).toBe(1)
  const stopped = reports.stop()
  await clock.advance(1_000)
  await stopped
  reject(new Error('connection lost'))
})
