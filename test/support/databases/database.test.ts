import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase, giveFeedItsOwnId } from './database.ts'

async function firstValue(url: string, query: string): Promise<unknown> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(query)
    return rows[0].value
  } finally {
    await client.end()
  }
}

const countTables = (url: string) =>
  firstValue(url, `select count(*)::int as value from pg_tables where schemaname = 'public'`)

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

test('copies of the migrated template have feeds of their own once each is given its id', async () => {
  const copies = await Promise.all([createTestDatabase('migrated'), createTestDatabase('migrated')])
  await Promise.all(copies.map(({ url }) => giveFeedItsOwnId(url)))
  const ids = await Promise.all(copies.map(({ url }) => firstValue(url, 'select feed_id as value from feed.relay')))
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(copies.length)
  await Promise.all(copies.map(({ drop }) => drop()))
})
