import { streamName } from '../../contracts/streams.ts'
import { monthAfter } from '../../domain/postpaid/month.ts'
import { MonthReplay } from '../../domain/postpaid/monthReplay.ts'
import { companyById } from '../../projections/companies/queries.ts'
import { recordBill } from '../../services/reactor/postpaid/billMonths.ts'
import { closeMonths, termsOf } from '../../services/reactor/postpaid/closeMonths.ts'
import { issueInvoice } from '../../services/reactor/postpaid/issueInvoices.ts'
import type { PostpaidParts } from '../../services/reactor/postpaid/postpaidParts.ts'
import { auditMonths, type MonthAudit } from '../audit/months.ts'
import { ledgerOf } from '../audit/replay.ts'

/** The invoice of a company for a month, as its ledger determines it. */
export type CompanyMonth = Omit<MonthAudit, 'closedAt'> & {
  readonly companyId: string
  readonly name: string
  /** null if the month is not closed: the amounts are those of a close at this moment. */
  readonly closedAt: string | null
}

async function replayOf({ engines }: PostpaidParts, companyId: string): Promise<MonthReplay> {
  const replay = new MonthReplay()
  for await (const event of ledgerOf(engines.store, companyId, null)) replay.add(event)
  return replay
}

/** Does for one company what the reactor does for all, each step only if it was not done. */
export async function issueMonth(parts: PostpaidParts, companyId: string, month: string): Promise<void> {
  const { engines } = parts
  const company = await companyById(engines.database, companyId)
  const before = await replayOf(parts, companyId)
  const lastClosed = before.months.at(-1)?.month ?? null
  if (company?.postpaidSince && (lastClosed === null || lastClosed < month)) {
    const { postpaidSince, postpaidUntil } = company
    const row = { companyId, postpaidSince, postpaidUntil, lastClosed }
    await closeMonths(parts, row, `${monthAfter(month)}-01T00:00:00.000Z`)
  }
  const closed = await replayOf(parts, companyId)
  for (const { bill, recorded } of closed.months) if (!recorded) await recordBill(parts, bill)
  const replayed = closed.months.find((one) => one.month === month)
  if (!replayed || replayed.settled || replayed.bill.creditsMicros === '0') return
  const { bill, terms, closedAt } = replayed
  await issueInvoice(parts, {
    companyId,
    month,
    terms: JSON.stringify(terms),
    closedAt,
    creditsMicros: bill.creditsMicros,
    amountMinor: bill.amountMinor,
    lines: JSON.stringify(bill.lines),
  })
}

export async function companyMonth(
  parts: PostpaidParts,
  companyId: string,
  month: string,
): Promise<CompanyMonth | null> {
  const name = (await companyById(parts.engines.database, companyId))?.name ?? ''
  const replay = await replayOf(parts, companyId)
  const replayed = replay.months.find((one) => one.month === month)
  if (replayed) {
    const [audited] = await auditMonths(parts.engines, companyId, [replayed])
    return audited ? { companyId, name, ...audited } : null
  }
  // An earlier month takes all entries up to now, so that nothing is left for this one.
  if (replay.months.some((one) => one.month > month)) return null
  const terms = await termsOf(parts, companyId)
  const bill = replay.open.bill({ companyId, month, terms }, { revision: await nextRevision(parts, companyId) })
  const { companyId: _, openingMicros: __, carriedMicros: ___, ...shown } = bill
  const invoice = { invoiceId: null, status: null, hostedUrl: null, isSettled: false, difference: null }
  return { companyId, name, closedAt: null, ...shown, ...invoice }
}

async function nextRevision({ engines }: PostpaidParts, companyId: string): Promise<number> {
  const options = { direction: 'backwards', limit: 1 } as const
  const stream = streamName('ledger', companyId)
  for await (const { revision } of engines.store.readStream(stream, options)) return revision + 1
  return 0
}
