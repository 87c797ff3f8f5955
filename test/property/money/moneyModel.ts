import type { CreditUnits } from './creditUnits.ts'
import { LotLife, type LotTerms } from './lotLife.ts'
import type { Figures, ShownLot } from './moneyFigures.ts'
import type { Company } from './moneyProduct.ts'
import { MonthLife } from './monthLife.ts'
import type { Movement, PaidGrant } from './paidGrant.ts'
import { TopUpLife } from './topUpLife.ts'

export const POSTPAID_PRICE = { minor: 100, credits: 30 }

/**
 * The money of one company, written from the text and the documents alone. It shares no code with the product, and
 * its amounts are plain numbers of millionths.
 */
export class MoneyModel {
  readonly lots = new LotLife()
  readonly payments: PaidGrant[] = []
  readonly topUp = new TopUpLife()
  readonly months = new MonthLife(POSTPAID_PRICE)
  readonly #company: Company
  readonly #holds = new Map<string, number>()
  #isSuspendedByPerson = false
  readonly #suspendedBy = new Set<string>()
  /** Each dispute suspends once, also if a person has resumed the company in spite of it. */
  readonly #hasSuspended = new Set<string>()
  /** Usage invoices that are not paid: the time from which they are overdue, in seconds. */
  readonly due = new Map<string, number>()

  constructor(company: Company) {
    this.#company = company
  }

  /** The payment arrived: its credits are granted once. */
  paid(payment: PaidGrant, terms: LotTerms, at: number): void {
    if (payment.isGranted) return
    this.lots.grant(terms, at)
    this.move(payment, payment.paid(), at)
  }

  move({ facts: { lotId } }: PaidGrant, movements: readonly Movement[], at: number): void {
    const { sums } = this.lots
    for (const { credits, by, isAdjustment } of movements) {
      if (isAdjustment) sums.adjustments += credits
      else if (by === 'refund') sums.refunds -= credits
      else if (credits < 0) sums.withdrawals -= credits
      else sums.reinstatements += credits
      this.lots.move(lotId, by, credits, at)
    }
  }

  suspend(isSuspended: boolean): void {
    this.#isSuspendedByPerson = isSuspended
    if (!isSuspended) this.#suspendedBy.clear()
  }

  /** A report about a dispute was heard: an open one suspends, and the last one that ends no longer does. */
  disputeHeard(disputeId: string): void {
    const isOpen = (id: string) => this.payments.some((payment) => payment.statusOf(id) === 'open')
    const isNew = !this.#hasSuspended.has(disputeId)
    if (this.#company.disputesSuspend && isNew && !this.#isSuspendedByPerson && isOpen(disputeId)) {
      this.#suspendedBy.add(disputeId)
      this.#hasSuspended.add(disputeId)
    }
    if (!this.#isSuspendedByPerson && ![...this.#suspendedBy].some(isOpen)) this.#suspendedBy.clear()
  }

  get isSuspended(): boolean {
    return this.#isSuspendedByPerson || this.#suspendedBy.size > 0
  }

  get maySpendLater(): boolean {
    const isDisputed = this.payments.some(({ hasOpenDispute }) => hasOpenDispute)
    return this.#company.mode === 'PREPAID' && !this.isSuspended && !isDisputed
  }

  /** Why a call is refused; null if it is admitted. */
  refusal(now: number): string | null {
    const { mode, creditLimit } = this.#company
    const admittedOn = this.lots.admittedOn(now)
    if (this.isSuspended) return 'companySuspended'
    if (mode === 'PREPAID') return admittedOn > 0 ? null : 'insufficientCredits'
    if ([...this.due.values()].some((due) => due * 1_000 <= now)) return 'planLimitExceeded'
    return creditLimit !== null && admittedOn < -creditLimit ? 'creditLimitExceeded' : null
  }

  /** A hard cap holds what a call may cost at most. */
  hold(callId: string, bound: number, now: number): string | null {
    const { mode, creditLimit, hasHardCap } = this.#company
    if (!hasHardCap || (mode === 'POSTPAID' && creditLimit === null)) return null
    const held = [...this.#holds.values()].reduce((sum, each) => sum + each, 0)
    const limit = mode === 'POSTPAID' ? (creditLimit ?? 0) : 0
    if (this.lots.admittedOn(now) + limit - held < bound) return 'insufficientCredits'
    this.#holds.set(callId, bound)
    return null
  }

  callEnded(callId: string): void {
    this.#holds.delete(callId)
  }

  figures(month: string): Figures {
    const { sums, balance } = this.lots
    const disputes = this.payments.flatMap((payment) => payment.disputeIds.map((id) => `${id} ${payment.statusOf(id)}`))
    const months = this.months.months.map(({ name, owed, minor, invoice }) => {
      return `${name} ${owed} ${minor} ${invoice === 'PAID' ? 'settled' : 'open'}`
    })
    return {
      ledger: sums,
      balance,
      balanceOfReadModel: balance,
      statement: [balance, balance],
      transactions: balance,
      disputes: disputes.toSorted(),
      refundedPurchases: this.payments
        .filter(({ facts, isGranted }) => facts.isPurchase && isGranted)
        .map(({ facts, takenByRefunds }) => `${facts.ownId} ${takenByRefunds}`)
        .toSorted(),
      topUp: {
        isOn: this.topUp.isOn,
        isOnByReadModel: this.topUp.isOn,
        spent: this.topUp.spentIn(month),
        attempts: this.topUp.attempts.map(({ status }) => status),
      },
      months,
      monthsOfReadModel: months.toSorted(),
      usageInvoices: this.months.months
        .flatMap(({ name, invoice }) => (invoice === null ? [] : [`${name} ${invoice}`]))
        .toSorted(),
    }
  }

  shownLots(): ShownLot[] {
    const { units, terms } = this.lots
    return inBurnOrder(units).map(({ lotId, granted, spent, expired, free }) => {
      const { refund, dispute, correction } = this.lots.takenOf(lotId)
      const { source = '', priority = 0, expiresAt = null } = terms.get(lotId) ?? {}
      return {
        lotId,
        terms: [source, priority, expiresAt],
        sums: {
          ...{ granted, spent, expired, left: free, owed: this.lots.owedOf(lotId) },
          ...{ refunded: refund, disputed: dispute, corrected: correction },
        },
      }
    })
  }
}

function inBurnOrder(units: CreditUnits) {
  const places = new Map(units.burnOrder().map((lotId, place) => [lotId, place]))
  return units.lots().toSorted((one, other) => (places.get(one.lotId) ?? 0) - (places.get(other.lotId) ?? 0))
}
