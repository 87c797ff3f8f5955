import { LotBooks } from '../../../capabilities/creditLots/lotBooks.ts'
import { beginKeeping, writeChanges } from '../../../capabilities/creditLots/lotTables.ts'
import type { TypedEventStore } from '../../../platform/eventStore/port.ts'
import type { Database } from '../../../projections/runner/ports.ts'

const PAGE_EVENTS = 500
let lastEpoch = Date.now()

/** Brings the credit lots up to the end of the ledger, as a reactor does it every second. */
export async function foldLots({ database, store }: { database: Database; store: TypedEventStore }): Promise<void> {
  const epoch = ++lastEpoch
  const books = new LotBooks(database)
  let after = await beginKeeping(database, epoch)
  for (;;) {
    const { events, position } = await store.readAll({ after, categories: ['ledger'], limit: PAGE_EVENTS })
    if (position === after) return
    await writeChanges(database, { epoch, after }, position, await books.fold(events))
    after = position
  }
}
