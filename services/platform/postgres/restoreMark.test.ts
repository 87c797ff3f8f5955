import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { openDatabase, type PostgresDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { clearRestoreMark, markRestore, requireNoUnfinishedRestore } from './restoreMark.ts'

let own: TestDatabase
let database: PostgresDatabase
beforeAll(async () => {
  own = await createTestDatabase()
  database = openDatabase({ url: own.url })
  await migrate(database)
})
afterAll(async () => {
  await database.close()
  await own.drop()
})

test('an installation without a mark may be used', async () => {
  await requireNoUnfinishedRestore(database)
})

test('an installation with a mark is refused until the mark is cleared', async () => {
  await markRestore(database, { file: '/backups/first.gz', sha256: 'a', lastCheckpoint: '/checkpoint' })
  await markRestore(database, { file: '/backups/second.gz', sha256: 'b', lastCheckpoint: null })
  await expect(requireNoUnfinishedRestore(database)).rejects.toThrow(
    /second\.gz into this installation is not finished\. .*: npm run restore -- \/backups\/second\.gz$/,
  )
  await clearRestoreMark(database)
  await requireNoUnfinishedRestore(database)
})

test('the command names the file as one word of a shell', async () => {
  const file = "/the operator's backups/$HOME `1`.gz"
  await markRestore(database, { file, sha256: 'a', lastCheckpoint: null })
  const message = await requireNoUnfinishedRestore(database).catch((error: Error) => error.message)
  const word = String(message).split(' -- ').at(-1)
  expect(execFileSync('sh', ['-c', `printf %s ${word}`]).toString()).toBe(file)
  await clearRestoreMark(database)
})

test('the command names the published checkpoint again', async () => {
  await markRestore(database, { file: '/backup.gz', sha256: 'a', lastCheckpoint: '/last checkpoint' })
  await expect(requireNoUnfinishedRestore(database)).rejects.toThrow(
    / -- \/backup\.gz --last-checkpoint '\/last checkpoint'$/,
  )
  await clearRestoreMark(database)
})
