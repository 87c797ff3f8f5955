import type { PostpaidTerms } from '../../contracts/events/postpaid.ts'
import { streamName } from '../../contracts/streams.ts'
import { companyDecider } from '../../domain/company/decider.ts'
import { planDecider } from '../../domain/plan/decider.ts'
import { monthBefore, monthOf, monthsToClose } from '../../domain/postpaid/month.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { type CompanyToClose, companiesToClose } from '../../projections/monthCloses/queries.ts'
import { REACTOR } from '../commands/commandHandler.ts'
import { createClosingTime } from './closingTime.ts'
import { monthPauses, type PostpaidParts } from './postpaidParts.ts'

const COMPANIES_PER_ROUND = 50

/**
 * Closes past months, by the installation's clock in UTC, of every company that was POSTPAID in them. The id of a close
 * is derived from company and month, so two reactors write it once. A month without calls is closed too. A close cannot
 * be undone, so it waits until clock and events agree that the month has ended.
 */
export function createMonthClosing(parts: PostpaidParts): () => Promise<void> {
  const { engines, clock, log } = parts
  const pauses = monthPauses(clock)
  const closingTime = createClosingTime({ clock, store: engines.store, log })
  const dueAt = (time: string) =>
    companiesToClose(engines.database, monthBefore(monthOf(time)), pauses.ids(), COMPANIES_PER_ROUND)
  return async () => {
    if ((await dueAt(isoTime(clock.now()))).length === 0) return
    const closingMs = await closingTime()
    if (closingMs === null) return
    const until = isoTime(closingMs)
    for (const row of await dueAt(until)) {
      await pauses.attempt(
        row.companyId,
        () => closeMonths(parts, row, until),
        (error) =>
          log.warn({ err: error, companyId: row.companyId }, 'months of a company could not be closed, retrying later'),
      )
    }
  }
}

/** Closes the past months of a company, or those that had ended at another time. */
export async function closeMonths(
  { engines, clock, log }: PostpaidParts,
  row: CompanyToClose,
  now: string = isoTime(clock.now()),
): Promise<void> {
  const companyId = row.companyId
  const period = { since: row.postpaidSince, until: row.postpaidUntil, lastClosed: row.lastClosed }
  const terms = await termsOf({ engines }, companyId)
  for (const month of monthsToClose(period, now)) {
    const draft = engines.ledger.draft({ type: 'CloseMonth', companyId, month, terms, at: isoTime(clock.now()) })
    await engines.ledger.book(draft, draft.eventId, REACTOR)
    log.info({ companyId, month }, 'month of a postpaid company closed')
  }
}

/** The terms of the company's current plan. */
export async function termsOf({ engines }: Pick<PostpaidParts, 'engines'>, companyId: string): Promise<PostpaidTerms> {
  const company = await engines.commands.stateOf(companyDecider, streamName('company', companyId))
  const planId = company.status === 'registered' ? company.planId : undefined
  if (planId === undefined) throw new Error(`company ${companyId} has no plan to be invoiced by`)
  const plan = await engines.commands.stateOf(planDecider, streamName('plan', planId))
  if (plan.status === 'unknown') throw new Error(`plan ${planId} of company ${companyId} does not exist`)
  const { price, currency, creditsPerPeriodMicros, dueDays } = plan
  return { planId, price, currency, creditsPerPeriodMicros: creditsPerPeriodMicros.toString(), dueDays }
}
