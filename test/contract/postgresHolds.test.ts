import { systemClock } from '../../platform/clock/clock.ts'
import { migrate } from '../../platform/postgres/migrate.ts'
import { PostgresHolds } from '../../platform/sharedState/holds/postgresHolds.ts'
import { createTestDatabase } from '../support/databases/database.ts'
import { patientDatabase } from '../support/databases/patientDatabase.ts'
import { holdsContract } from './holds.ts'

holdsContract('holds in Postgres', async () => {
  const { url, drop } = await createTestDatabase()
  const databases = Array.from({ length: 3 }, () => patientDatabase({ url, connectionsMax: 5 }))
  const [first] = databases
  if (first) await migrate(first)
  let opened = 0
  return {
    open: (times) => {
      const database = databases[opened++ % databases.length]
      if (!database) throw new Error('there is no database')
      return new PostgresHolds(database, systemClock, times)
    },
    close: async () => {
      for (const database of databases) await database.close()
      await drop()
    },
  }
})
