import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isoTime } from '../../platform/clock/clock.ts'
import type { PostgresDatabase } from '../../platform/postgres/database.ts'
import { BLOCK_REVISIONS } from '../../projections/ledgerBlocks/projection.ts'
import { PART_REVISIONS } from '../../projections/ledgerParts/projection.ts'
import { PART_BEFORE_NAME } from '../../projections/ledgerParts/queries.ts'
import { openTestDatabase } from '../../test/support/databases/openTestDatabase.ts'
import { nearPlace } from './ledgerBoundary.ts'

const COMPANIES = 2
const BLOCKS = 20
const ENTRIES = BLOCKS * BLOCK_REVISIONS
const PARTS = ENTRIES / PART_REVISIONS
const TABLES = ['read_models.ledger_parts', 'read_models.ledger_blocks']
const BEGIN_MS = Date.parse('2026-03-01T00:00:00.000Z')
const timeOf = (revision: number) => isoTime(BEGIN_MS + revision * 1_000)
const companyId = randomUUID()
const LATE = ENTRIES - BLOCK_REVISIONS / 2

let database: PostgresDatabase
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('with read models'))
  for (const table of TABLES) await database.query(`alter table ${table} set (autovacuum_enabled = false)`)
  for (let n = 0; n < COMPANIES; n++) await fillLedger(n === 0 ? companyId : randomUUID())
})
afterAll(() => close?.())

/** Entries of one micro-credit, a second apart, as the projector would store them. */
async function fillLedger(company: string): Promise<void> {
  await database.query(
    `insert into read_models.ledger_parts (company_id, part, events, delta_micros, latest_at, first_at, entries)
     select $1, n, ${PART_REVISIONS}, ${PART_REVISIONS},
       $3::timestamptz + ((n + 1) * ${PART_REVISIONS} - 1) * interval '1 second',
       $3::timestamptz + n * ${PART_REVISIONS} * interval '1 second', $4
     from generate_series(0, $2::bigint - 1) as n`,
    [company, PARTS, timeOf(0), Array.from({ length: PART_REVISIONS }, (_, n) => `${n * 1000} 1`).join(',')],
  )
  await database.query(
    `insert into read_models.ledger_blocks (company_id, level, block, events, delta_micros, latest_at)
     select $1::uuid, 0, n, ${BLOCK_REVISIONS}, ${BLOCK_REVISIONS},
       $3::timestamptz + ((n + 1) * ${BLOCK_REVISIONS} - 1) * interval '1 second'
     from generate_series(0, $2::bigint - 1) as n
     union all select $1::uuid, 1, 0, $2::bigint * ${BLOCK_REVISIONS}, $2::bigint * ${BLOCK_REVISIONS},
       $3::timestamptz + ($2::bigint * ${BLOCK_REVISIONS} - 1) * interval '1 second'`,
    [company, BLOCKS, timeOf(0)],
  )
}

/** The plan that a connection uses for the prepared statement. */
function planOf(mode: 'custom' | 'generic'): Promise<string> {
  return database.transaction(async (sql) => {
    const place = await nearPlace(sql, companyId, timeOf(LATE))
    expect(place).toEqual({ revision: LATE, events: LATE, balanceMicros: BigInt(LATE), isBoundary: true })
    await sql.query(`set local plan_cache_mode = force_${mode}_plan`)
    const execute = `execute "${PART_BEFORE_NAME}" ('${companyId}', '${timeOf(LATE)}')`
    const lines = await sql.query<{ 'QUERY PLAN': string }>(`explain ${execute}`)
    return lines.map((line) => line['QUERY PLAN']).join('\n')
  })
}

test.each([
  ['custom', 'without statistics'],
  ['generic', 'without statistics'],
  ['custom', 'with statistics'],
  ['generic', 'with statistics'],
] as const)('a %s plan %s reads the parts of one block', async (mode, statistics) => {
  if (statistics === 'with statistics') for (const table of TABLES) await database.query(`analyze ${table}`)
  const plan = await planOf(mode)
  expect(plan).not.toMatch(/Seq Scan on ledger_parts/)
  expect(plan).toMatch(/ledger_parts_pkey.*\n +Index Cond: .*part >= .* AND .*part < /)
})
