import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../decider.ts'
import { deltaMicros } from './balance.ts'

/** The state needed to detect that the balance of a ledger has become low. */
export type BalanceWatch = {
  readonly balanceMicros: bigint
  /** The balance right after the last grant. */
  readonly filledMicros: bigint
  /** Stays true until the next grant. */
  readonly isLow: boolean
}

export const UNWATCHED: BalanceWatch = { balanceMicros: 0n, filledMicros: 0n, isLow: false }

/** A balance is low below a tenth of the balance after the last grant. */
const PART = 10n

/** The watch after the event. If `isLow` has become true, this event made the balance low. */
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
