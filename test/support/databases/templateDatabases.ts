import pg from 'pg'
import { systemClock } from '../../../platform/clock/clock.ts'
import { PostgresEventStore } from '../../../platform/eventStore/postgres/postgresEventStore.ts'
import { withUpcasting } from '../../../platform/eventStore/upcasting.ts'
import { storeFeed } from '../../../platform/feed/storeFeed.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { migrate } from '../../../platform/postgres/migrate.ts'
import { PROJECTIONS } from '../../../projections/catalogue.ts'
import { prepareProjection } from '../../../projections/runner/runner.ts'
import { patientDatabase } from './patientDatabase.ts'

/** The initial content of a test database: nothing, the schema, or the schema and all read models without rows. */
export type DatabaseContents = 'empty' | 'migrated' | 'with read models'

/** The templates of test databases. Copying one takes a third of the time of the migrations. */
export const TEMPLATES: Readonly<Record<DatabaseContents, string>> = {
  empty: 'template1',
  migrated: 'template_migrated',
  'with read models': 'template_read_models',
}

export async function createTemplates(serverUrl: string): Promise<void> {
  await runOnServer(serverUrl, `create database ${TEMPLATES.migrated}`)
  await onDatabase(serverUrl, TEMPLATES.migrated, async (database) => void (await migrate(database)))
  await runOnServer(serverUrl, `create database ${TEMPLATES['with read models']} template ${TEMPLATES.migrated}`)
  await onDatabase(serverUrl, TEMPLATES['with read models'], async (database) => {
    const store = withUpcasting(new PostgresEventStore(database, systemClock))
    const feed = storeFeed(store)
    for (const projection of PROJECTIONS) {
      await prepareProjection(database, projection, feed.partitionsOf(projection.categories))
    }
    await store.close()
  })
}

export async function runOnServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The url of another database on the same server. */
export function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = name
  return url.href
}

async function onDatabase(
  serverUrl: string,
  name: string,
  work: (database: PostgresDatabase) => Promise<void>,
): Promise<void> {
  const database = patientDatabase({ url: urlOf(serverUrl, name) })
  try {
    await work(database)
  } finally {
    await database.close()
  }
}
