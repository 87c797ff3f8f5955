import { formatCredits } from '../credits.ts'
import { type DisputedMoney, worthOf } from '../disputedCredits.ts'
import { monthOf } from '../postpaid/month.ts'
import { majorUnits } from '../price.ts'
import { creditsTakenBack, type RefundSoFar } from '../refund.ts'

/** What a payment is for, as the ledger writes it: "purchase <id>" or "invoice <id>". */
export type Reference = `${'purchase' | 'invoice'} ${string}`

/** A payment that succeeded at the provider, and how much of it was refunded so far. */
export type Payment = {
  readonly chargeId: string
  readonly at: string
  readonly amountMinor: bigint
  readonly refundedMinor: bigint
  readonly currency: string
  /** null if the payment names neither a purchase nor an invoice. */
  readonly reference: Reference | null
  /** The company that the payment or its customer names; null if the customer is not one of ours. */
  readonly companyId: string | null
}

/** All that is recorded about the payment for a purchase or an invoice. */
export type Booking = {
  readonly reference: Reference
  readonly companyId: string | null
  /** What the provider reported as paid; null if no payment was recorded. */
  readonly paid: { readonly amountMinor: bigint; readonly currency: string } | null
  /** The credits that follow from the payment; null if none do. */
  readonly dueMicros: bigint | null
  /** What the ledger granted or settled for it; null if it did neither. */
  readonly booked: { readonly kind: 'grant' | 'settlement'; readonly micros: bigint; readonly at: string } | null
  /** The refund that the provider reported last. */
  readonly refund: RefundSoFar | null
  /** Net of what was given back by corrections of refunds. */
  readonly takenBackMicros: bigint
  /** Taken by corrections of the grant: a refund cannot take it again. */
  readonly correctedMicros: bigint
  /** The part of it that a person gave back. */
  readonly waivedMicros: bigint
  /** The disputes of the payment, as they were reported last. */
  readonly disputes: readonly DisputedMoney[]
  /** What the ledger withdrew for disputes, less what it gave back. */
  readonly withdrawnMicros: bigint
}

export const DIFFERENCE_KINDS = [
  'PAYMENT_WITHOUT_GRANT',
  'GRANT_WITHOUT_PAYMENT',
  'AMOUNT_DIFFERS',
  'CREDITS_DIFFER',
  'REFUND_NOT_ON_LEDGER',
  'REFUND_NOT_AT_PROVIDER',
] as const
/** What looks like a difference but is not. */
export const EXPLANATION_KINDS = [
  'OTHER_MONTH',
  'NO_CREDITS_DUE',
  'NOTHING_TO_PAY',
  'PAID_ELSEWHERE',
  'DISPUTED',
] as const

export type FindingKind = (typeof DIFFERENCE_KINDS)[number] | (typeof EXPLANATION_KINDS)[number]

export type Finding = {
  readonly kind: FindingKind
  readonly text: string
  readonly reference: Reference | null
  readonly companyId: string | null
  readonly chargeId: string | null
}

export function isDifference({ kind }: Pick<Finding, 'kind'>): boolean {
  return (DIFFERENCE_KINDS as readonly string[]).includes(kind)
}

/** Compares a payment with what was booked for it. */
export function matchPayment(payment: Payment, booking: Booking | null): Finding[] {
  const { at, currency, amountMinor } = payment
  const finding = about(payment, booking)
  const what = payment.reference ?? 'neither a purchase nor an invoice'
  const said = `payment ${payment.chargeId} of ${money(amountMinor, currency)} at ${at} for ${what}`
  if (!booking?.booked) {
    if (booking?.paid && booking.dueMicros === null) {
      return [finding('NO_CREDITS_DUE', `${said} is recorded, and no credits follow from it`)]
    }
    return [finding('PAYMENT_WITHOUT_GRANT', `${said} has no grant on the ledger`)]
  }
  const { paid, booked } = booking
  const findings: Finding[] = []
  if (paid && (paid.amountMinor !== amountMinor || paid.currency !== currency)) {
    const recorded = money(paid.amountMinor, paid.currency)
    findings.push(finding('AMOUNT_DIFFERS', `${said} is recorded as ${recorded}`))
  }
  findings.push(...matchCredits(booking, finding), ...matchWithdrawn(booking, finding))
  if (monthOf(booked.at) !== monthOf(at)) {
    findings.push(finding('OTHER_MONTH', `${said} is booked at ${booked.at}, in ${monthOf(booked.at)}`))
  }
  return findings
}

/** Compares what was refunded of a payment so far with what the ledger took back. */
export function matchRefund(payment: Payment, booking: Booking | null): Finding[] {
  const finding = about(payment, booking)
  const seen = BigInt(booking?.refund?.refundedMinor ?? '0')
  const { refundedMinor, currency, chargeId } = payment
  const of = `of payment ${chargeId} for ${payment.reference ?? 'nothing of ours'}`
  const both = `${money(refundedMinor, currency)} ${of} are refunded at the provider, and ${money(seen, currency)} on the ledger`
  const findings: Finding[] = []
  if (refundedMinor > seen) findings.push(finding('REFUND_NOT_ON_LEDGER', both))
  if (refundedMinor < seen) findings.push(finding('REFUND_NOT_AT_PROVIDER', both))
  return [...findings, ...matchTakenBack(booking, finding)]
}

/** A booking for which the provider has no payment. */
export function withoutPayment(booking: Booking): Finding {
  const finding = about(null, booking)
  const { paid, booked, reference } = booking
  const said = booked ? `${credits(booked.micros)} booked at ${booked.at} for ${reference}` : reference
  if (paid?.amountMinor === 0n) return finding('NOTHING_TO_PAY', `${said}: there was nothing to pay`)
  return finding('GRANT_WITHOUT_PAYMENT', `${said} have no payment at the provider`)
}

/** The provider says that the invoice, or part of it, was paid outside the provider. */
export function paidElsewhere(payment: Payment | null, booking: Booking): Finding {
  const how = payment
    ? `payment ${payment.chargeId} of ${money(payment.amountMinor, payment.currency)} is for ${booking.reference}, of which the rest was paid from the customer's balance`
    : `${booking.reference} was paid outside of the provider, as it says`
  return about(payment, booking)('PAID_ELSEWHERE', how)
}

/** Credits were taken back for a payment that the provider does not have. */
export function refundWithoutPayment(booking: Booking): Finding {
  const text = `${credits(booking.takenBackMicros)} were taken back for ${booking.reference}, whose payment the provider does not have`
  return about(null, booking)('REFUND_NOT_AT_PROVIDER', text)
}

type Make = (kind: FindingKind, text: string) => Finding

function about(payment: Payment | null, booking: Booking | null): Make {
  const reference = payment?.reference ?? booking?.reference ?? null
  const companyId = booking?.companyId ?? payment?.companyId ?? null
  return (kind, text) => ({ kind, text, reference, companyId, chargeId: payment?.chargeId ?? null })
}

function matchCredits({ dueMicros, booked, reference }: Booking, finding: Make): Finding[] {
  if (!booked || dueMicros === null || dueMicros === booked.micros) return []
  const both = `${credits(dueMicros)} follow from ${reference}, and the ledger has ${credits(booked.micros)}`
  return [finding('CREDITS_DIFFER', both)]
}

/** A settlement is not taken back: refunding a usage invoice leaves the ledger unchanged. */
function matchTakenBack(booking: Booking | null, finding: Make): Finding[] {
  if (!booking) return []
  const { booked, refund, takenBackMicros, correctedMicros, waivedMicros, reference } = booking
  const worth = booked?.kind === 'grant' && refund ? creditsTakenBack(booked.micros, refund) : 0n
  const left = (booked?.micros ?? 0n) - correctedMicros
  const due = worth < left ? worth : left
  if (due === takenBackMicros || due === takenBackMicros + waivedMicros) return []
  const both = `${credits(due)} are to be taken back for refunds of ${reference}, and the ledger has ${credits(takenBackMicros)}`
  return [finding('CREDITS_DIFFER', both)]
}

/** Refunds and corrections come first: disputes take at most what they leave of the grant. */
function matchWithdrawn(booking: Booking, finding: Make): Finding[] {
  const { booked, disputes, withdrawnMicros, correctedMicros, takenBackMicros, reference } = booking
  const granted = booked?.kind === 'grant' ? booked.micros : 0n
  const worth = disputes.reduce((sum, dispute) => sum + worthOf(dispute, granted), 0n)
  const left = granted - correctedMicros - takenBackMicros
  const due = worth < left ? worth : left
  const ids = disputes.map(({ disputeId }) => disputeId).join(', ')
  if (due !== withdrawnMicros) {
    const both = `${credits(due)} are to be withdrawn for disputes of ${reference} (${ids || 'none'}), and the ledger has ${credits(withdrawnMicros)}`
    return [finding('CREDITS_DIFFER', both)]
  }
  return due === 0n ? [] : [finding('DISPUTED', `${credits(due)} of ${reference} are withdrawn for disputes: ${ids}`)]
}

/** Exact, in units of the currency. */
function money(minor: bigint, currency: string): string {
  return `${majorUnits(String(minor), currency)} ${currency}`
}

function credits(micros: bigint): string {
  return `${formatCredits(micros)} credits`
}
