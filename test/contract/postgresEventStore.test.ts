import { systemClock } from '../../platform/clock/clock.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import { PostgresEventStore } from '../../platform/eventStore/postgres/postgresEventStore.ts'
import type { PostgresDatabase } from '../../platform/postgres/database.ts'
import { migrate } from '../../platform/postgres/migrate.ts'
import { startCuttingProxy } from '../support/callers/cuttingProxy.ts'
import { createTestDatabase } from '../support/databases/database.ts'
import { patientDatabase } from '../support/databases/patientDatabase.ts'
import { type EventStoreHarness, eventStoreContract } from './eventStore.ts'

async function start(): Promise<EventStoreHarness> {
  const testDatabase = await createTestDatabase()
  const direct = new URL(testDatabase.url)
  const proxy = await startCuttingProxy({ host: direct.hostname, port: Number(direct.port) })
  const url = new URL(testDatabase.url)
  url.port = String(proxy.port)
  const databases: PostgresDatabase[] = []
  const stores: EventStore[] = []
  const connect = () => {
    const database = patientDatabase({ url: url.href, connectionsMax: 4 })
    databases.push(database)
    return database
  }
  await migrate(connect())
  return {
    open: () => {
      const store = new PostgresEventStore(connect(), systemClock)
      stores.push(store)
      return store
    },
    cutMidAppend: async (append, moment) => {
      const cut = proxy.cutAt('SomethingHappened', moment)
      await append()
      await cut
    },
    close: async () => {
      for (const store of stores) await store.close()
      for (const database of databases) await database.close()
      await proxy.close()
      await testDatabase.drop()
    },
  }
}

eventStoreContract('the Postgres event store', start)
