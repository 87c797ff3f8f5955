import { type BalanceEvent, changesBalance, type LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../decider.ts'
import type { LedgerState } from './decider.ts'

/** The only place that knows which ledger events add credits and which take them. */
function signedMicros(type: BalanceEvent['type'], amountMicros: bigint): bigint {
  switch (type) {
    case 'CreditsGranted':
    case 'ChargeReversed':
    case 'InvoiceSettled':
    case 'CreditsReinstated':
      return amountMicros
    case 'CallCharged':
    case 'CreditsRefunded':
    case 'CreditsExpired':
    case 'CreditsWithdrawn':
      return -amountMicros
    case 'CreditsAdjusted':
      // The amount has its sign.
      return amountMicros
    default:
      return unexpected(type)
  }
}

/** By how much the event changes the balance: positive if it adds credits, negative if it takes them. */
export function deltaMicros(event: LedgerEvent): bigint {
  return changesBalance(event) ? signedMicros(event.type, BigInt(event.data.amountMicros)) : 0n
}

export function balanceMicros(state: LedgerState): bigint {
  return (
    signedMicros('CreditsGranted', state.grantsMicros) +
    signedMicros('CallCharged', state.chargesMicros) +
    signedMicros('ChargeReversed', state.reversalsMicros) +
    signedMicros('CreditsRefunded', state.refundsMicros) +
    signedMicros('CreditsAdjusted', state.adjustmentsMicros) +
    signedMicros('InvoiceSettled', state.settlementsMicros) +
    signedMicros('CreditsExpired', state.expiriesMicros) +
    signedMicros('CreditsWithdrawn', state.withdrawalsMicros) +
    signedMicros('CreditsReinstated', state.reinstatementsMicros)
  )
}
