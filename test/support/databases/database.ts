import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { type DatabaseContents, runOnServer, TEMPLATES, urlOf } from './templateDatabases.ts'

export type TestDatabase = {
  readonly url: string
  /** Also ends connections that are still open. */
  drop(): Promise<void>
}

/**
 * A new database on the server that the whole run shares, for one test or one file. Copies of a migrated template share
 * their feed id, so tests that publish to Kafka give it another one.
 */
export async function createTestDatabase(contents: DatabaseContents = 'empty'): Promise<TestDatabase> {
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await runOnServer(server, `create database ${name} template ${TEMPLATES[contents]} strategy file_copy`)
  return { url: urlOf(server, name), drop: () => runOnServer(server, `drop database if exists ${name} with (force)`) }
}

/** Gives a copied template its own feed id, which names its Kafka topics and groups. Call it before the database is used. */
export async function giveFeedItsOwnId(url: string): Promise<void> {
  const id = randomUUID().replaceAll('-', '').slice(0, 12)
  await runOnServer(url, `update feed.relay set feed_id = '${id}'`)
}
