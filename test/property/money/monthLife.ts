/**
 * The months of a postpaid company: what its ledger took since the last close, less what was left before, is owed. What is
 * not worth the smallest unit of money is carried over; otherwise an invoice is made, and its payment settles the month.
 */

export type InvoiceState = 'OPEN' | 'PAID' | 'VOID'
export type Month = {
  readonly name: string
  readonly owed: number
  readonly minor: number
  invoice: InvoiceState | null
}

/** Minor units for a credit, as a fraction. */
export type MonthPrice = { readonly minor: number; readonly credits: number }

export class MonthLife {
  readonly months: Month[] = []
  readonly #price: MonthPrice
  #carried = 0
  #balanceAtClose = 0
  #settledSince = 0

  constructor(price: MonthPrice) {
    this.#price = price
  }

  /** `balance` and `settled` are those of the ledger at the close. */
  close(name: string, balance: number, settled: number): Month {
    const since = balance - this.#balanceAtClose - (settled - this.#settledSince)
    const owed = -(this.#carried + since)
    const minor = Math.floor((owed * this.#price.minor * 2 + this.#price.credits) / (2 * this.#price.credits))
    const isInvoiced = owed > 0 && minor > 0
    this.#carried = isInvoiced ? 0 : -owed
    this.#balanceAtClose = balance
    this.#settledSince = settled
    const month: Month = {
      name,
      owed: isInvoiced ? owed : 0,
      minor: isInvoiced ? minor : 0,
      invoice: isInvoiced ? 'OPEN' : null,
    }
    this.months.push(month)
    return month
  }
}
