import type { PostpaidTerms } from '../../../contracts/events/postpaid.ts'
import { streamName } from '../../../contracts/streams.ts'
import { type Bill, OpenRange } from '../../../domain/postpaid/monthReplay.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import type { TypedEventStore } from '../../../platform/eventStore/port.ts'
import { SeenIds } from '../../../platform/eventStore/seenIds.ts'
import { type MonthToBill, monthsToBill } from '../../../projections/monthCloses/queries.ts'
import { REACTOR } from '../paymentEvents/paymentEventDependencies.ts'
import { monthPauses, type PostpaidParts } from './postpaidParts.ts'

const MONTHS_PER_ROUND = 10

/** Computes from the ledger what closed months cost, each company's months in order, and records it there. */
export function createMonthBilling(parts: PostpaidParts): () => Promise<void> {
  const { engines, clock, log } = parts
  const pauses = monthPauses(clock)
  return async () => {
    for (const row of await monthsToBill(engines.database, pauses.ids(), MONTHS_PER_ROUND)) {
      const about = { companyId: row.companyId, month: row.month }
      await pauses.attempt(
        row.companyId,
        () => billMonth(parts, row),
        (error) => log.warn({ err: error, ...about }, 'closed month could not be billed, retrying later'),
      )
    }
  }
}

async function billMonth(parts: PostpaidParts, row: MonthToBill): Promise<void> {
  await recordBill(parts, await billOfClose(parts.engines.store, row))
}

/** Its id derives from company and month, so it is recorded once. */
export async function recordBill(
  { engines, clock, log }: Omit<PostpaidParts, 'usageInvoices' | 'provider'>,
  bill: Bill,
) {
  const draft = engines.ledger.draft({ type: 'BillMonth', bill, at: isoTime(clock.now()) })
  await engines.ledger.book(draft, draft.eventId, REACTOR)
  const { companyId, month, creditsMicros, amountMinor, currency } = bill
  log.info({ companyId, month, creditsMicros, amountMinor, currency }, 'closed month billed')
}

/** Reads only the range, unless the store may hold an event twice: then the copy in a later range must not count. */
async function billOfClose(store: TypedEventStore, row: MonthToBill): Promise<Bill> {
  const { companyId, month, previousRevision: previous } = row
  if (previous !== null && row.previousCarriedMicros === null) {
    throw new Error(`the month before ${month} of company ${companyId} is not billed yet`)
  }
  const after = previous === null ? -1 : Number(previous)
  const closeRevision = Number(row.revision)
  const range = new OpenRange(after, BigInt(row.previousCarriedMicros ?? 0))
  const seen = store.idsAreUnique ? null : new SeenIds()
  const from = seen ? 0 : after + 1
  for await (const event of store.readStream(streamName('ledger', companyId), { from })) {
    if (event.revision > closeRevision) break
    const isCopy = seen?.isRepeated(event.id) ?? false
    if (!isCopy && event.revision > after) range.add(event)
  }
  return range.bill({ companyId, month, terms: JSON.parse(row.terms) as PostpaidTerms }, { revision: closeRevision })
}
