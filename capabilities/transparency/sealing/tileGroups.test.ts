import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../../platform/postgres/migrate.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { SealedTransparencyLog } from '../../../test/support/transparency/sealedTransparencyLog.ts'
import { StoredTransparencyLog } from '../../../test/support/transparency/storedTransparencyLog.ts'

const MIGRATION = '0022-tile-groups.sql'

let harness: PostgresStoreHarness

beforeAll(async () => {
  harness = await PostgresStoreHarness.open()
})
afterAll(() => harness.close())

const readGroups = () =>
  harness.database.query<{ level: number; index: string; groups: string | null }>(
    `select level, index, encode(groups, 'hex') as groups from ledger_log.tiles order by level, index`,
  )

test('the migration fills in the groups that the sealer would have stored, of full tiles only', async () => {
  const { database, store } = harness
  await new SealedTransparencyLog(database, store).charge(randomUUID(), 600)
  await new StoredTransparencyLog(database, store).seal()
  const sealed = await readGroups()
  expect(sealed.map(({ level, groups }) => [level, groups?.length ?? null])).toEqual([
    [0, 1024],
    [0, 1024],
    [0, null],
    [1, null],
  ])
  await database.query('alter table ledger_log.tiles drop column groups')
  await database.query('delete from public.tollgate_migrations where name = $1', [MIGRATION])
  expect(await migrate(database)).toEqual([MIGRATION])
  expect(await readGroups()).toEqual(sealed)
})
