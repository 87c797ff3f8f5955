import type { TopUpFieldsFragment, TopUpHold } from '../../graphql/generated.ts'
import type { Pack } from './billingWords.ts'

export type TopUp = TopUpFieldsFragment
export type TopUpAttempt = TopUp['attempts'][number]

export const ATTEMPT = {
  STARTED: { name: 'Under way', tone: 'plain' },
  NEEDS_CONFIRMATION: { name: 'To be confirmed', tone: 'warning' },
  SUCCEEDED: { name: 'Paid', tone: 'good' },
  DECLINED: { name: 'Declined', tone: 'danger' },
  GIVEN_UP: { name: 'Given up', tone: 'plain' },
} as const

const HOLDS: Readonly<Record<TopUpHold, string>> = {
  CEILING: 'One more pack would exceed the ceiling of this month, so nothing is bought until the next month.',
  PACK_RETIRED: 'The pack is no longer for sale. Choose another one.',
  SUSPENDED: 'The company is suspended, so nothing is bought.',
  DISPUTED: 'A payment of the company is disputed, so nothing is bought until the dispute has ended.',
  POSTPAID: 'The company is billed by invoice, so nothing is bought.',
}

/** What a person should know about the state of top-up. */
export function stateWords({ enabled, offReason, hasPaymentMethod, heldBecause, attempts: [newest] }: TopUp): string {
  if (newest?.status === 'NEEDS_CONFIRMATION') {
    return 'The bank asks you to confirm the last payment. Nothing else is bought until it is confirmed or its time is over.'
  }
  if (heldBecause) return HOLDS[heldBecause]
  if (enabled) return 'A pack is bought as soon as the balance falls below the threshold, once for each fall.'
  if (offReason === 'DECLINED') {
    return 'Three payments in a row were declined, which switched it off. Save another card, then switch it on again.'
  }
  if (offReason === 'PAYMENT_RETURNED') {
    return 'A payment of it was refunded or lost in a dispute, which switched it off, so that it is not made again.'
  }
  if (hasPaymentMethod) return 'A card is saved, so it can be switched on.'
  return 'Buy a pack with “Save this card” first: automatic top-up charges that card.'
}

/** The reason of the newest attempt, if it failed. */
export function lastFailure({ attempts: [newest] }: Pick<TopUp, 'attempts'>): string | null {
  const hasFailed = newest?.status === 'DECLINED' || newest?.status === 'GIVEN_UP'
  return hasFailed ? newest.reason : null
}

export type TopUpDraft = { readonly threshold: string; readonly packId: string; readonly ceiling: string }
type Faults = { readonly threshold?: string; readonly packId?: string; readonly ceiling?: string }

/** Why the settings cannot be sent, by field. */
export function topUpFaults({ threshold, packId, ceiling }: TopUpDraft, packs: readonly Pack[]): Faults {
  const pack = packs.find(({ id }) => id === packId)
  const isCredits = /^\d+(\.\d{1,6})?$/.test(threshold.trim()) && Number(threshold) > 0
  const isMoney = /^\d+(\.\d{1,3})?$/.test(ceiling.trim())
  const isEnough = pack !== undefined && isMoney && Number(ceiling) >= pack.price
  return {
    ...(!isCredits && { threshold: 'Enter a number of credits above 0, with up to six decimals.' }),
    ...(!pack && { packId: 'Choose a pack.' }),
    ...(!isEnough && { ceiling: 'Enter an amount of at least the price of the pack.' }),
  }
}
