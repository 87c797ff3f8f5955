import { termsOf } from '../../capabilities/postpaid/closeMonths.ts'
import { replayOf } from '../../capabilities/postpaid/endMonths.ts'
import type { PostpaidParts } from '../../capabilities/postpaid/postpaidParts.ts'
import { streamName } from '../../contracts/streams.ts'
import { companyById } from '../../projections/companies/queries.ts'
import { auditMonths, type MonthAudit } from '../audit/months.ts'

/** A company's invoice for a month, as determined by its ledger. */
export type CompanyMonth = Omit<MonthAudit, 'closedAt'> & {
  readonly companyId: string
  readonly name: string
  /** null if the month is not closed: the amounts are as if it were closed now. */
  readonly closedAt: string | null
}

export async function companyMonth(
  parts: PostpaidParts,
  companyId: string,
  month: string,
): Promise<CompanyMonth | null> {
  const name = (await companyById(parts.engines.database, companyId))?.name ?? ''
  const replay = await replayOf(parts.engines.store, companyId)
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
