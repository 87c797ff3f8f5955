import type { Installation } from '../../capabilities/installation.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { PostgresEventStore } from '../../platform/eventStore/postgres/postgresEventStore.ts'
import { withUpcasting } from '../../platform/eventStore/upcasting.ts'
import { openDatabase } from '../../platform/postgres/database.ts'

/** What a statement needs from an installation, given the address of its database. */
export async function withBenchStore<Result>(
  work: (engines: Pick<Installation, 'database' | 'store' | 'storeAsWritten'>) => Promise<Result>,
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
