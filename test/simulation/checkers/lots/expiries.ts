import type { LedgerEvent } from '../folds/ledger.ts'
import { sumOf } from './lot.ts'
import { LotsOfEvents } from './lotsOfEvents.ts'

/** How long after the time of a lot a call may still be charged that was admitted before: docs/admins.md. */
export const CHARGED_WITHIN_MS = 2 * 60 * 60 * 1_000

/**
 * What has expired of a lot is recorded after its time and the longest call, each part once, and never more than was left of
 * it. What is given back was recorded as expired before.
 */
export function expiriesWrong(own: readonly LedgerEvent[]): string | null {
  const lots = new LotsOfEvents()
  for (const event of own) {
    const wrong = event.type === 'CreditsExpired' ? expiryWrong(lots, event) : reinstatementWrong(lots, event)
    if (wrong !== null) return wrong
    lots.add(event)
  }
  const owing = lots.ledger.lots.find(({ owed }) => owed > 0n)
  return owing ? `${owing.owed} of lot ${owing.lotId} have expired although a call needed them` : null
}

type Expired = Extract<LedgerEvent, { type: 'CreditsExpired' }>

function expiryWrong({ ledger }: LotsOfEvents, { data }: Expired): string | null {
  const { grantId, expiredAt, expiredBeforeMicros, amountMicros } = data
  const lot = ledger.lot(grantId)
  if (!lot || lot.expiresMs === null) return `${amountMicros} of ${grantId} have expired, which does not expire`
  const dueMs = lot.expiresMs + CHARGED_WITHIN_MS
  if (Date.parse(expiredAt) < dueMs) {
    return `${amountMicros} of lot ${grantId} have expired at ${expiredAt}, before ${new Date(dueMs).toISOString()}`
  }
  const before = sumOf(lot.expiries)
  if (before !== BigInt(expiredBeforeMicros)) {
    return `${expiredBeforeMicros} of lot ${grantId} had expired before, it says, and not ${before}`
  }
  const written = before - sumOf(lot.reinstated) + BigInt(amountMicros)
  return written > lot.granted ? `${written} of lot ${grantId} have expired, which had ${lot.granted}` : null
}

function reinstatementWrong({ ledger }: LotsOfEvents, event: LedgerEvent): string | null {
  if (event.type !== 'CreditsReinstated' || event.data.disputeId !== null) return null
  const { grantId, amountMicros, reinstatedBeforeMicros } = event.data
  const lot = ledger.lot(grantId)
  if (!lot || lot.owed < BigInt(amountMicros))
    return `${amountMicros} of ${grantId} are given back, and ${lot?.owed} needed`
  const before = sumOf(lot.reinstated)
  if (before === BigInt(reinstatedBeforeMicros)) return null
  return `${reinstatedBeforeMicros} of lot ${grantId} had been given back, it says, and not ${before}`
}
