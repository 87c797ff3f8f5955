import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from './database.ts'

async function countTables(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(`select count(*)::int as n from pg_tables where schemaname = 'public'`)
    return rows[0].n
  } finally {
    await client.end()
  }
}

test('a test database is not shared with another test', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()])
  const client = new Client({ connectionString: one.url })
  await client.connect()
  await client.query('create table written (id int)')
  await client.end()
  expect(await countTables(one.url)).toBe(1)
  expect(await countTables(other.url)).toBe(0)
  await Promise.all([one.drop(), other.drop()])
})

test('a test database is dropped although a connection to it is open', async () => {
  const database = await createTestDatabase()
  const forgotten = new Client({ connectionString: database.url })
  forgotten.on('error', () => {})
  await forgotten.connect()
  await database.drop()
  await expect(countTables(database.url)).rejects.toThrow('does not exist')
})
