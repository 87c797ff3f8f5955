import type { PostpaidTerms } from '../../contracts/events/postpaid.ts'
import { streamName } from '../../contracts/streams.ts'
import { monthAfter } from '../../domain/postpaid/month.ts'
import { type Bill, MonthReplay, OpenRange } from '../../domain/postpaid/monthReplay.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { SeenIds } from '../../platform/eventStore/seenIds.ts'
import { companyById } from '../../projections/companies/queries.ts'
import { type MonthToEnd, monthsToEnd } from '../../projections/monthCloses/queries.ts'
import { REACTOR } from '../commands/commandHandler.ts'
import { PaymentProviderError } from '../payments/paymentProvider.ts'
import { closeMonths } from './closeMonths.ts'
import { type BilledMonth, issueInvoice } from './issueInvoice.ts'
import { monthPauses, type PostpaidParts } from './postpaidParts.ts'

const MONTHS_PER_ROUND = 10

type ClosedMonth = Pick<BilledMonth, 'companyId' | 'month' | 'terms' | 'closedAt'> & {
  /** null if the cost of the month is not recorded yet. */
  readonly billed: BilledAmounts | null
  readonly bill: () => Promise<Bill>
}

type BilledAmounts = Pick<Bill, 'creditsMicros' | 'amountMinor' | 'lines'>

/** Bills the closed months of all companies and issues their invoices, each company's months in order. */
export function createMonthEnding(parts: PostpaidParts): () => Promise<void> {
  const { engines, clock, log } = parts
  const pauses = monthPauses(clock)
  return async () => {
    const rows = await monthsToEnd(engines.database, pauses.ids(), MONTHS_PER_ROUND)
    const closed = rows.map((row) => closedMonthOf(engines.store, row))
    for (const [companyId, months] of Map.groupBy(closed, ({ companyId }) => companyId)) {
      await pauses.attempt(
        companyId,
        () => endMonths(parts, months),
        (error) => {
          const needsOperator = error instanceof PaymentProviderError && !error.isTransient
          log[needsOperator ? 'error' : 'warn'](
            { err: error, companyId },
            'months of a company could not be billed or invoiced, retrying later',
          )
        },
      )
    }
  }
}

function closedMonthOf(store: TypedEventStore, row: MonthToEnd): ClosedMonth {
  const { companyId, month, closedAt, creditsMicros, amountMinor, lines } = row
  const amounts = {
    creditsMicros: creditsMicros ?? '0',
    amountMinor: amountMinor ?? '0',
    lines: JSON.parse(lines ?? '[]') as Bill['lines'],
  }
  return {
    ...{ companyId, month, closedAt, terms: JSON.parse(row.terms) as PostpaidTerms },
    billed: row.billedAt === null ? null : amounts,
    bill: () => billOfClose(store, row),
  }
}

/** Does for one company and month what the reactor does for all: closes, bills and invoices it, from the ledger alone. */
export async function endMonth(parts: PostpaidParts, companyId: string, month: string): Promise<void> {
  const { database, store } = parts.engines
  const company = await companyById(database, companyId)
  const lastClosed = (await replayOf(store, companyId)).months.at(-1)?.month ?? null
  if (company?.postpaidSince && (lastClosed === null || lastClosed < month)) {
    const { postpaidSince, postpaidUntil } = company
    const row = { companyId, postpaidSince, postpaidUntil, lastClosed }
    await closeMonths(parts, row, `${monthAfter(month)}-01T00:00:00.000Z`)
  }
  const closed = (await replayOf(store, companyId)).months
  const left = closed.filter((one) => !one.recorded || (one.month === month && !one.settled))
  const months = left.map(({ bill, recorded, ...one }) => ({
    ...one,
    ...{ companyId, billed: recorded && bill, bill: async () => bill },
  }))
  await endMonths(parts, months, month)
}

/** Bills a company's unbilled months in order, then issues their invoices, or only that of one month. */
async function endMonths(parts: PostpaidParts, months: readonly ClosedMonth[], only?: string): Promise<void> {
  const billed: BilledMonth[] = []
  for (const month of months) billed.push({ ...month, ...(month.billed ?? (await recordBill(parts, month))) })
  for (const month of billed) {
    if (month.creditsMicros !== '0' && month.month === (only ?? month.month)) await issueInvoice(parts, month)
  }
}

/** Its id is derived from company and month, so it is recorded once. */
async function recordBill({ engines, clock, log }: PostpaidParts, { bill: compute }: ClosedMonth): Promise<Bill> {
  const bill = await compute()
  const draft = engines.ledger.draft({ type: 'BillMonth', bill, at: isoTime(clock.now()) })
  await engines.ledger.book(draft, draft.eventId, REACTOR)
  const { companyId, month, creditsMicros, amountMinor, currency } = bill
  log.info({ companyId, month, creditsMicros, amountMinor, currency }, 'closed month billed')
  return bill
}

/** Replays the whole ledger of a company, each event once. */
export async function replayOf(store: TypedEventStore, companyId: string): Promise<MonthReplay> {
  const replay = new MonthReplay()
  const seen = store.idsAreUnique ? null : new SeenIds()
  for await (const event of store.readStream(streamName('ledger', companyId))) {
    if (!seen?.isRepeated(event.id)) replay.add(event)
  }
  return replay
}

/** Reads only the range, unless the store may hold an event twice: a copy in a later range must not count. */
async function billOfClose(store: TypedEventStore, row: MonthToEnd): Promise<Bill> {
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
