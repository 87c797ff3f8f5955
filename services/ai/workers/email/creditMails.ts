import { lotPosition } from '../../../../capabilities/creditLots/lotTables.ts'
import { creditsExpiring, type ExpiryDay } from '../../../../capabilities/creditLots/shownLots.ts'
import type { Installation } from '../../../../capabilities/installation.ts'
import type { Position } from '../../../../contracts/position.ts'
import { isoTime } from '../../../../platform/clock/clock.ts'
import type { TaskDraft } from '../worker.ts'
import { mailTask } from './mailCauses.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
/** How many days before the UTC day of an expiry the mails are sent, the last one first. */
const NOTICE_DAYS = [3, 14] as const
const LONGEST_NOTICE_MS = Math.max(...NOTICE_DAYS) * DAY_MS
const FIRST: ExpiryDay = { day: '', companyId: '00000000-0000-0000-0000-000000000000' }

/**
 * Returns, a part at each call, the mails about credits that expire soon: one for a company and a day, however many of its
 * lots expire on that day. They may have been sent already. A day that has come closer than a notice gets only the next one.
 */
export function createCreditMails(
  { database, store }: Pick<Installation, 'database' | 'store'>,
  mailsMax: number,
): (nowMs: number) => Promise<TaskDraft[]> {
  let reached = FIRST
  /** The end of the ledger at the last call. */
  let head: Position | null = null
  return async (nowMs) => {
    const [folded, last] = [await lotPosition(database), head]
    head = await store.head()
    // Lots that lack charges, for example while they are computed again after a restore, would still seem to have credits.
    if (last === null || folded < last) return []
    const today = Math.floor(nowMs / DAY_MS) * DAY_MS
    const range = { from: isoTime(nowMs), before: isoTime(today + LONGEST_NOTICE_MS + DAY_MS), after: reached }
    const rows = await creditsExpiring(database, range, mailsMax)
    reached = (rows.length === mailsMax && rows.at(-1)) || FIRST
    return rows.map(({ day, companyId, expiresAt, leftMicros, rolloverMicros }) => {
      const dayMs = Date.parse(day)
      const days = NOTICE_DAYS.find((each) => dayMs - today <= each * DAY_MS) ?? NOTICE_DAYS[0]
      const amounts = { day, days, expiresAt, leftMicros, rolloverMicros }
      const at = isoTime(dayMs - days * DAY_MS)
      return mailTask(`credits expiring in ${days} days: ${companyId} ${day}`, {
        ...{ kind: 'credits_expiring', companyId, at },
        ...amounts,
      })
    })
  }
}
