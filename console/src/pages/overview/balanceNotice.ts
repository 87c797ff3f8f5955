import type { Billing } from '../../shell/useCompanyName.ts'

/** Warn if the balance lasts fewer days than this. */
const DAYS_LEFT_MIN = 7

/** What to say about the balance; null if nothing. A postpaid company owes what it uses, so only its limit matters. */
export function balanceNotice(
  balanceMicros: bigint | undefined,
  daysLeft: number | null,
  { isPostpaid, limitMicros }: Billing,
): 'empty' | 'low' | 'beyond limit' | null {
  if (balanceMicros === undefined) return null
  if (isPostpaid) return limitMicros !== null && balanceMicros <= -limitMicros ? 'beyond limit' : null
  if (balanceMicros <= 0n) return 'empty'
  return daysLeft !== null && daysLeft < DAYS_LEFT_MIN ? 'low' : null
}
