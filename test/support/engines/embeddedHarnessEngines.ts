import { systemClock } from '../../../platform/clock/clock.ts'
import { PostgresEventStore } from '../../../platform/eventStore/postgres/postgresEventStore.ts'
import { createTestDatabase } from '../databases/database.ts'
import { holdPostgresLedger } from '../eventStores/heldLedger.ts'
import type { HarnessEngines, Through } from './harnessEngines.ts'

/** Everything in one database; nothing else runs. */
export async function openEmbeddedEngines(through: Through): Promise<HarnessEngines> {
  const database = await createTestDatabase('with read models')
  return {
    databaseUrl: database.url,
    gatewayDatabaseUrl: await through(database.url),
    settings: {},
    openStore: (engines, { appendTimeoutMs }) =>
      new PostgresEventStore(engines.database, systemClock, { appendTimeoutMs }),
    startRelay: async () => null,
    storeNode: null,
    redis: null,
    holdLedger: () => holdPostgresLedger(database.url),
    close: () => database.drop(),
  }
}
