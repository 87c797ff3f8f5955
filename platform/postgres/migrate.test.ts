import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../test/support/databases/openTestDatabase.ts'
import { SettingError } from '../config/settingError.ts'
import type { PostgresDatabase } from './database.ts'
import { migrate } from './migrate.ts'

const FIRST = 'create table first (n int);\n'
const SECOND = 'create table second (n int);\n'

let database: PostgresDatabase
let close: () => Promise<void>
let directory: string

beforeEach(async () => {
  ;({ database, close } = await openTestDatabase())
  directory = await mkdtemp(path.join(tmpdir(), 'migrations-'))
  await write('0001-first.sql', FIRST)
  await write('0002-second.sql', SECOND)
})
afterEach(async () => {
  await close()
  await rm(directory, { recursive: true })
})

const write = (name: string, text: string) => writeFile(path.join(directory, name), text)
const migrateHere = () => migrate(database, pathToFileURL(`${directory}/`))
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const applied = () =>
  database.query<{ name: string; checksum: string | null }>(
    'select name, checksum from public.tollgate_migrations order by name',
  )
const BOTH_APPLIED = [
  { name: '0001-first.sql', checksum: sha256(FIRST) },
  { name: '0002-second.sql', checksum: sha256(SECOND) },
]

/** The table as left by versions without checksums. */
async function applyWithoutChecksums(): Promise<void> {
  await database.query(
    'create table public.tollgate_migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  await database.query(`${FIRST} ${SECOND}`)
  await database.query(`insert into public.tollgate_migrations (name) values ('0001-first.sql'), ('0002-second.sql')`)
}

describe('migrate', () => {
  test('applies every migration to a fresh database and records its checksum', async () => {
    expect(await migrateHere()).toEqual(['0001-first.sql', '0002-second.sql'])
    expect(await applied()).toEqual(BOTH_APPLIED)
    await database.query('select first.n, second.n from first, second')
  })

  test('applies nothing to a database that is up to date', async () => {
    await migrateHere()
    expect(await migrateHere()).toEqual([])
    expect(await applied()).toEqual(BOTH_APPLIED)
  })

  test('ignores files that are not .sql', async () => {
    await write('README.md', 'not a migration')
    await mkdir(path.join(directory, 'drafts'))
    expect(await migrateHere()).toEqual(['0001-first.sql', '0002-second.sql'])
  })

  test('fills in the checksums of migrations that were applied before checksums existed', async () => {
    await applyWithoutChecksums()
    expect(await migrateHere()).toEqual([])
    expect(await applied()).toEqual(BOTH_APPLIED)
  })

  test('fills in missing checksums and applies new migrations in the same start', async () => {
    await applyWithoutChecksums()
    await write('0003-third.sql', 'create table third (n int);')
    expect(await migrateHere()).toEqual(['0003-third.sql'])
    expect((await applied()).every(({ checksum }) => checksum !== null)).toBe(true)
  })

  test('refuses an applied migration whose file has changed, names it, and applies nothing', async () => {
    await migrateHere()
    await write('0002-second.sql', `${SECOND}-- A comment counts too.\n`)
    await write('0003-third.sql', 'create table third (n int);')
    const refusal = await migrateHere().catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(SettingError)
    expect((refusal as Error).message).toMatch(/^migration 0002-second\.sql was changed after it was applied/)
    expect((refusal as Error).message).not.toContain('\n')
    expect(await applied()).toEqual(BOTH_APPLIED)
  })

  test('leaves the row of a migration from a newer version alone', async () => {
    await migrateHere()
    const newer = [
      { name: '0008-newer.sql', checksum: null },
      { name: '0009-newer.sql', checksum: 'of a file that this version does not have' },
    ]
    for (const { name, checksum } of newer) {
      await database.query('insert into public.tollgate_migrations (name, checksum) values ($1, $2)', [name, checksum])
    }
    expect(await migrateHere()).toEqual([])
    expect(await applied()).toEqual([...BOTH_APPLIED, ...newer])
  })

  test('runs once when two processes start at the same time', async () => {
    const [one, other] = await Promise.all([migrateHere(), migrateHere()])
    expect([...one, ...other].sort()).toEqual(['0001-first.sql', '0002-second.sql'])
  })
})
