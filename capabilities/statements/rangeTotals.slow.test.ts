import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { StatementTotals, TOTAL_KINDS } from '../../domain/statement/totals.ts'
import { isoTime, systemClock } from '../../platform/clock/clock.ts'
import type { Engines } from '../../platform/engines.ts'
import { EVENTS_PER_APPEND_MAX } from '../../platform/eventStore/eventGuard.ts'
import { PostgresEventStore } from '../../platform/eventStore/postgres/postgresEventStore.ts'
import { BLOCK_REVISIONS, ledgerBlocks } from '../../projections/ledgerBlocks/projection.ts'
import { ledgerParts } from '../../projections/ledgerParts/projection.ts'
import { ledgerTotals } from '../../projections/ledgerTotals/projection.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { anEventOf } from '../../test/support/events/history.ts'
import { adjusted, charged, failed, granted } from '../../test/support/events/ledgerEvents.ts'
import { rangeTotals } from './rangeTotals.ts'
import { statementPages } from './statementLines.ts'
import { statementRange } from './statementRange.ts'

const COMPANY = randomUUID()
const BEGIN_MS = Date.parse('2026-03-01T00:00:00.000Z')
const KEYS = Array.from({ length: 3 }, () => randomUUID())
/** Three blocks and part of a fourth, with totals known up to a part of the third. */
const KNOWN = 2 * BLOCK_REVISIONS + 200
const LENGTH = 3 * BLOCK_REVISIONS + 100
const EVERY_ENTRY = 1_000_000

let models: ReadModels
let engines: Pick<Engines, 'database' | 'store' | 'storeAsWritten'>

function entryAt(n: number) {
  const call = { alias: `svc/${n % 5}`, keyId: KEYS[n % 3] ?? '', label: n % 4 === 0 ? null : `team ${n % 700}` }
  const make = [() => granted(COMPANY), () => failed(COMPANY, call), () => adjusted(COMPANY)][n % 11]
  const { metadata, ...event } = anEventOf(make ? make() : charged(COMPANY, { ...call, amountMicros: String(n) }))
  return { ...event, metadata: { ...metadata, recordedAt: isoTime(BEGIN_MS + n) } }
}

beforeAll(async () => {
  models = await ReadModels.open()
  engines = {
    database: models.database,
    store: models.store,
    storeAsWritten: new PostgresEventStore(models.database, systemClock),
  }
  const append = async (from: number, to: number) => {
    for (let at = from; at < to; at += EVENTS_PER_APPEND_MAX) {
      const length = Math.min(EVENTS_PER_APPEND_MAX, to - at)
      const entries = Array.from({ length }, (_, n) => entryAt(at + n))
      await models.store.append(streamName('ledger', COMPANY), 'any', entries)
    }
  }
  await append(0, KNOWN)
  await models.rebuild(ledgerTotals)
  await append(KNOWN, LENGTH)
  await models.rebuild(ledgerBlocks)
  await models.rebuild(ledgerParts)
})
afterAll(async () => {
  await engines.storeAsWritten.close()
  await models.close()
})

const rangeOf = (first: number, end: number) =>
  statementRange(engines, { companyId: COMPANY, from: isoTime(BEGIN_MS + first), to: isoTime(BEGIN_MS + end) })

test.for([
  ['the whole ledger', 0, LENGTH],
  ['a part within one block', 10, 500],
  ['whole blocks only', BLOCK_REVISIONS, 2 * BLOCK_REVISIONS],
  ['a range that begins and ends within blocks', 7, 2 * BLOCK_REVISIONS + 9],
  ['a range whose end the read model does not have yet', BLOCK_REVISIONS - 1, LENGTH - 1],
  ['a time without entries', LENGTH + 5, LENGTH + 9],
] as const)('the totals of %s are those of its lines, in the same order', async ([, first, end]) => {
  const range = await rangeOf(first, end)
  const read = new StatementTotals()
  for await (const page of statementPages({ engines, range })) for (const { line } of page) read.add(line)
  const totals = await rangeTotals(engines, range, EVERY_ENTRY)
  for (const kind of TOTAL_KINDS) expect(totals?.of(kind)).toEqual(read.of(kind))
  expect(range.count).toBe(Math.max(0, Math.min(end, LENGTH) - first))
})

test('totals that require reading too many entries are null, and whole blocks do not count towards that', async () => {
  expect(await rangeTotals(engines, await rangeOf(0, 2 * BLOCK_REVISIONS), 10)).not.toBeNull()
  expect(await rangeTotals(engines, await rangeOf(0, LENGTH), 100)).toBeNull()
})
