import { systemClock } from '../../../services/platform/clock/clock.ts'
import type { Engines } from '../../../services/platform/engines.ts'
import { PostgresEventStore } from '../../../services/platform/eventStore/postgres/postgresEventStore.ts'
import { withUpcasting } from '../../../services/platform/eventStore/upcasting.ts'
import { openDatabase } from '../../../services/platform/postgres/database.ts'

/** What a statement needs of an installation, by the address of its database. */
export async function withBenchStore<Result>(
  work: (engines: Pick<Engines, 'database' | 'store' | 'storeAsWritten'>) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({ url: process.env.DATABASE_URL ?? '' })
  const storeAsWritten = new PostgresEventStore(database, systemClock)
  try {
    return await work({ database, store: withUpcasting(storeAsWritten), storeAsWritten })
  } finally {
    await storeAsWritten.close()
    await database.close()
  }
}
