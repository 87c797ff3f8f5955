import { execFileSync } from 'node:child_process'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../test/support/databases/openTestDatabase.ts'
import type { PostgresDatabase } from './database.ts'
import { clearRestoreMark, markRestore, type RestoreMark, requireNoUnfinishedRestore } from './restoreMark.ts'

const MARK: RestoreMark = { file: '/backup.gz', sha256: 'a', lastCheckpoint: null, readModelsLater: false }

let database: PostgresDatabase
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('migrated'))
})
afterAll(() => close())
afterEach(() => clearRestoreMark(database))

test('an installation without a mark may be used', async () => {
  await requireNoUnfinishedRestore(database)
})

test('an installation with a mark is refused until the mark is cleared', async () => {
  await markRestore(database, { ...MARK, lastCheckpoint: '/checkpoint', readModelsLater: true })
  await markRestore(database, { ...MARK, file: '/backups/second.gz', sha256: 'b' })
  await expect(requireNoUnfinishedRestore(database)).rejects.toThrow(
    /second\.gz into this installation is not finished\. .*: npm run restore -- \/backups\/second\.gz$/,
  )
  await clearRestoreMark(database)
  await requireNoUnfinishedRestore(database)
})

test('the command quotes the file as one shell word', async () => {
  const file = "/the operator's backups/$HOME `1`.gz"
  await markRestore(database, { ...MARK, file })
  const message = await requireNoUnfinishedRestore(database).catch((error: Error) => error.message)
  const word = String(message).split(' -- ').at(-1)
  expect(execFileSync('sh', ['-c', `printf %s ${word}`]).toString()).toBe(file)
})

test('the command repeats the published checkpoint', async () => {
  await markRestore(database, { ...MARK, lastCheckpoint: '/last checkpoint' })
  await expect(requireNoUnfinishedRestore(database)).rejects.toThrow(
    / -- \/backup\.gz --last-checkpoint '\/last checkpoint'$/,
  )
})

test('the command again leaves the read models to the next start', async () => {
  await markRestore(database, { ...MARK, lastCheckpoint: '/checkpoint', readModelsLater: true })
  await expect(requireNoUnfinishedRestore(database)).rejects.toThrow(
    / -- \/backup\.gz --last-checkpoint \/checkpoint --read-models later$/,
  )
})
