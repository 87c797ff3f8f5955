import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../decider.ts'
import { deltaMicros } from './balance.ts'

/** What must be known of a ledger to tell when its balance has become low. */
export type BalanceWatch = {
  readonly balanceMicros: bigint
  /** What was there right after the last grant. */
  readonly filledMicros: bigint
  /** Told once; a grant makes it tell again. */
  readonly isLow: boolean
}

export const UNWATCHED: BalanceWatch = { balanceMicros: 0n, filledMicros: 0n, isLow: false }

/** Low is less than a tenth of what was there after the last grant. */
const PART = 10n

/** The watch after the event. Low by this very event: `isLow` has become true. */
export function watchBalance(watch: BalanceWatch, event: LedgerEvent): BalanceWatch {
  const balanceMicros = watch.balanceMicros + deltaMicros(event)
  switch (event.type) {
    case 'CreditsGranted':
      return { balanceMicros, filledMicros: balanceMicros, isLow: false }
    case 'CallCharged':
    case 'CreditsRefunded': {
      const limit = watch.filledMicros > 0n ? watch.filledMicros : 0n
      return { ...watch, balanceMicros, isLow: watch.isLow || balanceMicros * PART < limit }
    }
    case 'ChargeReversed':
    case 'CallFailed':
      return { ...watch, balanceMicros }
    default:
      return unexpected(event)
  }
}
