import type { CreditTransactionRow } from '../../projections/creditTransactions/projection.ts'

/** The rows of the read model in ledger order, read a page at a time, and the sum of those that were taken. */
export class TransactionLines {
  readonly #pages: AsyncIterator<readonly CreditTransactionRow[]>
  #page: readonly CreditTransactionRow[] = []
  #at = 0
  #hasEnded = false
  sumMicros = 0n

  constructor(pages: AsyncIterable<readonly CreditTransactionRow[]>) {
    this.#pages = pages[Symbol.asyncIterator]()
  }

  /** Whether the next row is only known after `turnPage`. To wait at every row would take longer than to read it. */
  get isAtPageEnd(): boolean {
    return this.#at === this.#page.length && !this.#hasEnded
  }

  async turnPage(): Promise<void> {
    while (this.isAtPageEnd) {
      const next = await this.#pages.next()
      if (next.done) this.#hasEnded = true
      else this.#page = next.value
      this.#at = next.done ? this.#page.length : 0
    }
  }

  /** The next row of this page; null after the last one. */
  get next(): CreditTransactionRow | null {
    return this.#page[this.#at] ?? null
  }

  take(row: CreditTransactionRow): void {
    this.sumMicros += BigInt(row.amount_micros)
    this.#at += 1
  }
}
