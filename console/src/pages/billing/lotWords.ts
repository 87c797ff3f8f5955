import type { CreditLotsQuery } from '../../graphql/generated.ts'

export type CreditLot = CreditLotsQuery['creditLots']['nodes'][number]

const SOURCES: Readonly<Record<CreditLot['source'], string>> = {
  PACK_PURCHASE: 'Credit pack',
  SUBSCRIPTION: 'Plan',
  ADJUSTMENT: 'Granted by the operator',
  PROMOTION: 'Promotion',
  ROLLOVER: 'Rolled over from the last period',
  SETTLEMENT: 'Invoice paid',
}

/** Grants from before credits had lots are one lot with this id. */
const UNLIMITED = 'unlimited'

export function sourceWords({ lotId, source }: Pick<CreditLot, 'lotId' | 'source'>): string {
  return lotId === UNLIMITED ? 'Earlier credits' : SOURCES[source]
}

/** What a glance at a lot should show. */
export type LotState = 'next' | 'usable' | 'expired' | 'used up' | 'taken back'

/** `nextExpiryAt`: when the next credits of the company expire. */
export function lotState(
  lot: Pick<CreditLot, 'grantedMicros' | 'takenMicros' | 'leftMicros' | 'expiresAt' | 'isExpired'>,
  nextExpiryAt: string | null,
): LotState {
  const { grantedMicros, takenMicros, leftMicros, expiresAt, isExpired } = lot
  if (takenMicros === grantedMicros) return 'taken back'
  if (isExpired) return 'expired'
  if (leftMicros === '0') return 'used up'
  return expiresAt !== null && expiresAt === nextExpiryAt ? 'next' : 'usable'
}

/** How long the credits of a pack last. */
export function validWords(validDays: number | null): string {
  if (validDays === null) return 'Without end'
  return validDays === 1 ? '1 day' : `${validDays.toLocaleString()} days`
}

/** What becomes of the credits of a plan that a period leaves unused. */
export function unusedWords(rolloverShare: number | null): string {
  if (rolloverShare === null) return 'Do not expire'
  if (rolloverShare === 0) return 'Expire with the period'
  return `${shareWords(rolloverShare)} roll over`
}

export function shareWords(share: number): string {
  return share.toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 4 })
}
