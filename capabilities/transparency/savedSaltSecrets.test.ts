import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PostgresDatabase } from '../../platform/postgres/database.ts'
import { openTestDatabase } from '../../test/support/databases/openTestDatabase.ts'
import { collect } from '../../test/support/events/events.ts'
import { deterministicId } from '../commands/eventId.ts'
import { restoreSaltSecrets, type SavedSaltSecret, saltSecretPages } from './savedSaltSecrets.ts'

let database: PostgresDatabase
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('migrated'))
})
afterAll(() => close())

const secretOf = (n: number, content = n): SavedSaltSecret => ({
  companyId: deterministicId(`company ${n}`),
  secret: Buffer.alloc(32, content).toString('base64'),
  createdAt: '2026-02-01T00:00:00.000Z',
})
const byCompany = (a: SavedSaltSecret, b: SavedSaltSecret) => (a.companyId < b.companyId ? -1 : 1)

test('log secrets are restored as they were saved, even if they are restored twice', async () => {
  const secrets = [1, 2, 3, 4, 5].map((n) => secretOf(n))
  await restoreSaltSecrets(database, secrets.slice(0, 3))
  await restoreSaltSecrets(database, secrets)
  const pages = await collect(saltSecretPages(database, 2))
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
  expect(pages.flat()).toEqual(secrets.toSorted(byCompany))
})

test('a different secret of a company is refused, and the first one stays', async () => {
  const refused = restoreSaltSecrets(database, [secretOf(6), secretOf(2, 9)])
  await expect(refused).rejects.toThrow(`another log secret of company ${secretOf(2).companyId} than the backup`)
  expect((await collect(saltSecretPages(database, 100))).flat()).toContainEqual(secretOf(2))
})
