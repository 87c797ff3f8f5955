import type { Payment } from '../../domain/reconciliation/match.ts'
import type { Refund } from '../payments/paymentLists.ts'
import type { Entry } from './port.ts'

export type Money = { readonly currency: string; readonly count: number; readonly amountMinor: bigint }
export type Credits = { readonly count: number; readonly amountMicros: bigint }

/** What both sides have in the month, each by its own time. */
export type Totals = {
  readonly payments: readonly Money[]
  readonly refunds: readonly Money[]
  /** Payments of customers that are not ours. */
  readonly otherPayments: readonly Money[]
  readonly granted: Credits
  readonly settled: Credits
  readonly takenBack: Credits
  /** Manual grants, which have no payment. */
  readonly grantedByHand: Credits
}

export class Tally {
  readonly #payments = new Map<string, Money>()
  readonly #refunds = new Map<string, Money>()
  readonly #others = new Map<string, Money>()
  readonly #entries = new Map<Entry['kind'], Credits>()

  payment({ currency, amountMinor }: Payment): void {
    add(this.#payments, currency, amountMinor)
  }

  otherPayment({ currency, amountMinor }: Payment): void {
    add(this.#others, currency, amountMinor)
  }

  refund({ currency, amountMinor }: Refund): void {
    add(this.#refunds, currency, amountMinor)
  }

  entry({ kind, micros }: Entry): void {
    const { count, amountMicros } = this.#entries.get(kind) ?? NO_CREDITS
    this.#entries.set(kind, { count: count + 1, amountMicros: amountMicros + micros })
  }

  totals(): Totals {
    const credits = (kind: Entry['kind']) => this.#entries.get(kind) ?? NO_CREDITS
    return {
      payments: byCurrency(this.#payments),
      refunds: byCurrency(this.#refunds),
      otherPayments: byCurrency(this.#others),
      granted: credits('grant'),
      settled: credits('settlement'),
      takenBack: credits('refund'),
      grantedByHand: credits('byHand'),
    }
  }
}

const NO_CREDITS: Credits = { count: 0, amountMicros: 0n }

function add(sums: Map<string, Money>, currency: string, amountMinor: bigint): void {
  const before = sums.get(currency) ?? { count: 0, amountMinor: 0n }
  sums.set(currency, { currency, count: before.count + 1, amountMinor: before.amountMinor + amountMinor })
}

function byCurrency(sums: ReadonlyMap<string, Money>): Money[] {
  return [...sums.values()].toSorted((one, other) => (one.currency < other.currency ? -1 : 1))
}
