import type { ReconciliationKind, ReconciliationQuery } from '../../graphql/generated.ts'

export type Reconciliation = ReconciliationQuery['reconciliation']
export type Finding = Reconciliation['differences'][number]

export const KINDS: Readonly<Record<ReconciliationKind, string>> = {
  PAYMENT_WITHOUT_GRANT: 'Payment without credits',
  GRANT_WITHOUT_PAYMENT: 'Credits without a payment',
  AMOUNT_DIFFERS: 'Other amount paid',
  CREDITS_DIFFER: 'Other credits booked',
  REFUND_NOT_ON_LEDGER: 'Refund without an entry',
  REFUND_NOT_AT_PROVIDER: 'Entry without a refund',
  DISPUTED: 'Disputed payment',
  OTHER_MONTH: 'In another month',
  NO_CREDITS_DUE: 'No credits due',
  NOTHING_TO_PAY: 'Nothing to pay',
  PAID_ELSEWHERE: 'Paid elsewhere',
}

/** Whether all differences have an explanation, and whether more can follow. */
export function resultWords({ differenceCount, hasEnded }: Pick<Reconciliation, 'differenceCount' | 'hasEnded'>) {
  const found =
    differenceCount === 0
      ? 'Payments and ledgers agree.'
      : `${differenceCount.toLocaleString()} ${differenceCount === 1 ? 'difference' : 'differences'} without an explanation.`
  return hasEnded ? found : `${found} The month goes on, so payments may be on their way to the ledger.`
}
