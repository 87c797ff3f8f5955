import { LotBooks } from '../../../capabilities/creditLots/lotBooks.ts'
import { beginKeeping, LotKeeperReplaced, writeChanges } from '../../../capabilities/creditLots/lotTables.ts'
import type { Runtime } from '../../../capabilities/installation.ts'
import type { Recorded } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { IDS_REMEMBERED_MAX, RecentIds } from '../../../platform/eventStore/recentIds.ts'
import { LEASE_RENEWAL_MS } from '../../../platform/leases/leases.ts'
import { type Leadership, whileLeading } from '../../../platform/leases/whileLeading.ts'

export const CREDIT_LOTS_LEASE = 'credit-lots'
const LEASE_MS = 5_000
/** How long the keeper waits for more events unless it is behind, because each write costs a transaction. */
const GATHER_MS = 1_000
const BEHIND_EVENTS_MIN = 500

type Parts = Pick<Runtime, 'clock' | 'log'> & { readonly engines: Pick<Runtime['engines'], 'database' | 'store'> }

/** Folds the ledgers of all companies into their lots. One of several reactors leads, and another takes over. */
export function keepCreditLots(parts: Parts, holder: string, signal: AbortSignal): Promise<void> {
  const { engines, clock, log } = parts
  return whileLeading(
    {
      ...{ database: engines.database, clock, name: CREDIT_LOTS_LEASE, holder, ttlMs: LEASE_MS },
      renewalMs: LEASE_RENEWAL_MS,
      onTrouble: (error) => {
        if (error instanceof LotKeeperReplaced) log.info({ err: error }, 'the credit lots are read again')
        else log.warn({ err: error }, 'credit lots could not be kept, retrying')
      },
    },
    (leadership) => foldLedgers(parts, leadership),
    signal,
  )
}

async function foldLedgers({ engines, clock }: Parts, { epoch, signal }: Leadership): Promise<void> {
  const { database, store } = engines
  const books = new LotBooks(database)
  const seen = store.idsAreUnique ? null : new RecentIds(IDS_REMEMBERED_MAX)
  const isFirst = ({ id }: Recorded<LedgerEvent>) => !seen?.isRepeated(id)
  let after = await beginKeeping(database, epoch)
  for await (const { events, position } of store.subscribe({ after, categories: ['ledger'], signal })) {
    if (signal.aborted) return
    const changes = await books.fold(events.filter(isFirst))
    await writeChanges(database, { epoch, after }, position, changes)
    after = position
    if (events.length < BEHIND_EVENTS_MIN) await clock.delay(GATHER_MS, signal)
  }
}
