import { formatCredits } from '../../domain/credits.ts'
import { Refusal } from '../../domain/decider.ts'
import { monthAfter } from '../../domain/postpaid/month.ts'
import {
  type Booking,
  type Finding,
  isDifference,
  matchPayment,
  matchRefund,
  type Payment,
  paidElsewhere,
  type Reference,
  refundWithoutPayment,
  withoutPayment,
} from '../../domain/reconciliation/match.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import type { Refund } from '../payments/paymentLists.ts'
import type { Entry, Sources } from './port.ts'
import { Tally, type Totals } from './tally.ts'

/** How many findings of each kind are kept; further ones are only counted. */
export const FINDINGS_MAX = 1_000
/** Few enough that their references fit into memory, and enough that few requests are needed. */
const PART_MS = 4 * 24 * 60 * 60 * 1_000

export type Reconciliation = {
  readonly month: string
  readonly totals: Totals
  readonly differences: readonly Finding[]
  readonly differenceCount: number
  readonly explained: readonly Finding[]
  readonly explainedCount: number
}

export type ReconcileOptions = {
  /** Called before each part of the month is read, with its first day. */
  readonly onPart?: (day: string) => void
  /** A month with more payments or refunds than this is refused. */
  readonly paymentsMax?: number
}

/**
 * Compares the payments and refunds of a UTC month at the provider with the ledgers, a few days at a time. A booking whose
 * payment is not among those of its days, the days before or the days after is looked up alone, so only the references of
 * three parts are kept.
 */
export async function reconcile(
  sources: Sources,
  month: string,
  { onPart = () => {}, paymentsMax = Number.POSITIVE_INFINITY }: ReconcileOptions = {},
): Promise<Reconciliation> {
  const run = new Run(sources, month, paymentsMax)
  const parts = partsOf(month)
  for (const [n, part] of parts.entries()) {
    onPart(part.from.slice(0, 10))
    await run.readProvider(part)
    // The ledger lags one part, so that the payments after it are known. The first and last part are in other months.
    const before = parts[n - 1]
    if (before && n > 1) await run.readLedger(before)
    run.forget()
  }
  return run.result()
}

type Part = { readonly from: string; readonly to: string; readonly isOfMonth: boolean }

/** The month in parts, plus one before it and one after it. */
function partsOf(month: string): Part[] {
  const first = Date.parse(`${month}-01T00:00:00.000Z`)
  const end = Date.parse(`${monthAfter(month)}-01T00:00:00.000Z`)
  const part = (from: number, to: number, isOfMonth: boolean) => ({ from: isoTime(from), to: isoTime(to), isOfMonth })
  const parts = [part(first - PART_MS, first, false)]
  for (let from = first; from < end; from += PART_MS) parts.push(part(from, Math.min(from + PART_MS, end), true))
  return [...parts, part(end, end + PART_MS, false)]
}

type Seen = { readonly payments: Set<Reference>; readonly refunds: Set<Reference> }

class Run {
  readonly #sources: Sources
  readonly #month: string
  readonly #paymentsMax: number
  readonly #tally = new Tally()
  readonly #parts: Seen[] = []
  readonly #reported = new Set<string>()
  readonly #differences: Finding[] = []
  readonly #explained: Finding[] = []
  #listed = 0
  #differenceCount = 0
  #explainedCount = 0

  constructor(sources: Sources, month: string, paymentsMax: number) {
    this.#sources = sources
    this.#month = month
    this.#paymentsMax = paymentsMax
  }

  async readProvider({ from, to, isOfMonth }: Part): Promise<void> {
    const seen: Seen = { payments: new Set(), refunds: new Set() }
    this.#parts.push(seen)
    for await (const page of this.#sources.payments(from, to)) {
      this.#count(page.length)
      const again = new Set<Payment>()
      for (const payment of page) {
        const { reference } = payment
        if (reference === null) continue
        if (this.#parts.some(({ payments }) => payments.has(reference))) again.add(payment)
        seen.payments.add(reference)
      }
      if (isOfMonth) await this.#matchPayments(page, again)
    }
    for await (const page of this.#sources.refunds(from, to)) {
      this.#count(page.length)
      for (const { payment } of page) if (payment.reference) seen.refunds.add(payment.reference)
      if (isOfMonth) await this.#matchRefunds(page)
    }
  }

  async readLedger({ from, to }: Part): Promise<void> {
    for await (const page of this.#sources.entries(from, to)) {
      const missing = page.filter((entry) => !this.#isSeen(entry))
      const bookings = await this.#sources.bookings(referencesOf(missing))
      for (const entry of page) this.#tally.entry(entry)
      for (const entry of missing) await this.#explain(entry, bookings)
    }
  }

  forget(): void {
    while (this.#parts.length > 2) this.#parts.shift()
  }

  result(): Reconciliation {
    return {
      month: this.#month,
      totals: this.#tally.totals(),
      differences: this.#differences,
      differenceCount: this.#differenceCount,
      explained: this.#explained,
      explainedCount: this.#explainedCount,
    }
  }

  #count(listed: number): void {
    this.#listed += listed
    if (this.#listed <= this.#paymentsMax) return
    const message = `${this.#month} has more than ${this.#paymentsMax} payments and refunds; "npm run reconcile -- --month ${this.#month}" has no limit`
    throw new Refusal('INVALID', message)
  }

  /** Of two payments for the same thing, only one has a grant. */
  async #matchPayments(page: readonly Payment[], again: ReadonlySet<Payment>): Promise<void> {
    const bookings = await this.#sources.bookings(referencesOf(page))
    for (const payment of page) {
      const booking = bookingOf(bookings, payment.reference)
      if (!isOurs(payment, booking)) {
        this.#tally.otherPayment(payment)
        continue
      }
      this.#tally.payment(payment)
      this.#report(
        await this.#withBalance(payment, booking, matchPayment(payment, again.has(payment) ? null : booking)),
      )
    }
  }

  async #matchRefunds(page: readonly Refund[]): Promise<void> {
    const bookings = await this.#sources.bookings(referencesOf(page.map(({ payment }) => payment)))
    for (const refund of page) {
      const booking = bookingOf(bookings, refund.payment.reference)
      if (!isOurs(refund.payment, booking)) continue
      this.#tally.refund(refund)
      this.#report(matchRefund(refund.payment, booking))
    }
  }

  /** An invoice may be paid from the customer's balance at the provider. */
  async #withBalance(payment: Payment, booking: Booking | null, findings: Finding[]): Promise<Finding[]> {
    const differs = findings.some(({ kind }) => kind === 'AMOUNT_DIFFERS')
    if (!differs || !booking?.reference.startsWith('invoice ')) return findings
    const found = await this.#sources.lookUp(booking.reference)
    const isWhole =
      'totalMinor' in found &&
      found.totalMinor === booking.paid?.amountMinor &&
      found.paidMinor === payment.amountMinor &&
      payment.currency === booking.paid.currency
    if (!isWhole) return findings
    return findings.map((finding) => (finding.kind === 'AMOUNT_DIFFERS' ? paidElsewhere(payment, booking) : finding))
  }

  #isSeen({ kind, reference }: Entry): boolean {
    if (kind === 'byHand') return true
    if (reference === null) return false
    return this.#parts.some(({ payments, refunds }) => (kind === 'refund' ? refunds : payments).has(reference))
  }

  /** An entry without a matching payment or refund nearby. */
  async #explain(entry: Entry, bookings: ReadonlyMap<Reference, Booking>): Promise<void> {
    const { kind, reference, companyId, micros, at, reason } = entry
    const booking = bookingOf(bookings, reference)
    if (!booking) {
      // A plan without a price settles its months without an invoice.
      if (kind === 'settlement') return
      const text = `${formatCredits(micros)} credits booked at ${at} (${reason}) belong to no payment that is recorded`
      const side = kind === 'refund' ? 'REFUND_NOT_AT_PROVIDER' : 'GRANT_WITHOUT_PAYMENT'
      this.#report([{ kind: side, text, reference, companyId, chargeId: null }])
      return
    }
    const found = await this.#sources.lookUp(booking.reference)
    if (kind === 'refund') {
      this.#report(found.payment ? matchRefund(found.payment, booking) : [refundWithoutPayment(booking)])
      return
    }
    if (found.payment) {
      this.#report(await this.#withBalance(found.payment, booking, matchPayment(found.payment, booking)))
      return
    }
    const isElsewhere = 'isElsewhere' in found && (found.isElsewhere || found.paidMinor === 0n)
    this.#report([
      isElsewhere && booking.paid?.amountMinor !== 0n ? paidElsewhere(null, booking) : withoutPayment(booking),
    ])
  }

  /** The refunds of a payment, the payment itself and its booking are often found one at a time. */
  #report(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const key = `${finding.kind} ${finding.reference ?? finding.chargeId ?? finding.text}`
      if (this.#reported.has(key)) continue
      if (this.#reported.size < 2 * FINDINGS_MAX) this.#reported.add(key)
      const list = isDifference(finding) ? this.#differences : this.#explained
      if (isDifference(finding)) this.#differenceCount += 1
      else this.#explainedCount += 1
      if (list.length < FINDINGS_MAX) list.push(finding)
    }
  }
}

function referencesOf(of: readonly { readonly reference: Reference | null }[]): Reference[] {
  return [...new Set(of.flatMap(({ reference }) => (reference ? [reference] : [])))]
}

function bookingOf(bookings: ReadonlyMap<Reference, Booking>, reference: Reference | null): Booking | null {
  return (reference && bookings.get(reference)) ?? null
}

/** Other applications may take payments through the same account. */
function isOurs({ companyId, reference }: Payment, booking: Booking | null): boolean {
  return booking !== null || companyId !== null || (reference?.startsWith('purchase ') ?? false)
}
