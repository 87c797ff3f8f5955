import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { SCALE_DOCUMENT, withTables } from './document.ts'
import { type Measured, measuredIn } from './results.ts'
import { IN_FLIGHT_MAX, scaleTables } from './tables.ts'

const MEASURED: Measured = {
  gatewayMicros: 200,
  backgroundMicros: 50,
  postgresMicros: 100,
  storeBytes: 1_000,
  modelBytes: 1_500,
  logBytes: 500,
  jsonBytes: 800,
  appendsPerSecond: 20_000,
  appendsOneByOnePerSecond: 2_000,
  allInOneCallsPerSecond: 5_000,
  gatewayCallsPerSecond: 5_000,
  eventStoreDbCallsPerSecond: 3_000,
  projectedPerSecond: 25_000,
  relayedPerSecond: 20_000,
  consumedPerSecond: 40_000,
  sealedPerSecond: 50_000,
  paymentEventsPerSecond: 1_000,
  eventStoreDbReadPerSecond: 8_000,
  gatewayMebibytes: 300,
}

test('docs/scale.md has the tables that "npm run scale" computes from docs/results; "npm run scale -- --write" updates it', async () => {
  const document = await readFile(SCALE_DOCUMENT, 'utf8')
  expect(document).toBe(withTables(document, scaleTables(await measuredIn())))
})

test('a million calls a second need the shards, cores and bytes that the measured figures imply', () => {
  const rows = scaleTables(MEASURED)['a million calls'] ?? ''
  expect(rows).toContain('| shards: store, log and read models | 10⁶ / (20,000 × 0.5) | 100 |')
  expect(rows).toContain('| calls of a shard | 10⁶ / 100 | 10,000/s |')
  expect(rows).toContain('| cores of gateways | 200 µs × 10⁶ / 0.5 | 400 |')
  expect(rows).toContain('| sub-ledgers of a company with 10 % of the calls | 100,000 / 10,000 | 10 |')
  expect(rows).toContain('| written by PostgreSQL, of one shard | 3,000 bytes × 10,000/s | 30 MB/s |')
  expect(rows).toContain('| gateway processes for them | 10,000,000 / (5,000 × 0.5) | 4,000 |')
  expect(rows).toContain('| commands to Redis, of one shard | 10,000/s × 4 | 40,000/s |')
  expect(rows).toContain("| partitions that a shard's ledgers need | 10,000 / (10,000 × 0.5) | 2 |")
  expect(rows).toContain('| cores in all | 400 + 100 + 200 | 700 |')
  expect(rows).toContain('| kept a day, of all, with a replica | × 100 × 2 | 520 TB |')
})

test('the limit of calls in flight equals the one in the guide for operators', async () => {
  const guide = await readFile(join(dirname(SCALE_DOCUMENT), 'operators.md'), 'utf8')
  expect(guide).toContain(`| requests to the gateway | ${IN_FLIGHT_MAX.toLocaleString('en')} |`)
})

test('a figure that the results lack is named with its file', async () => {
  const read = async (file: string) =>
    file === 'growth.json' ? [{ name: 'CPU time of a call: PostgreSQL', value: 1, events: 10 }] : []
  await expect(measuredIn(read)).rejects.toThrow('docs/results/gateway.json has no figure')
})

test('a document without a place for a table is refused', () => {
  expect(() => withTables('# Scale', { limits: '| a |' })).toThrow('no place for the table "limits"')
})
