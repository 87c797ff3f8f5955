import type { CreditTransactionRow } from '../../projections/creditTransactions/projection.ts'
import { PagedRows } from './pagedRows.ts'

/** The rows of the read model in ledger order, and the sum of those that were taken. */
export class TransactionLines extends PagedRows<CreditTransactionRow> {
  sumMicros = 0n

  override advance(): void {
    this.sumMicros += BigInt(this.next?.amountMicros ?? 0)
    super.advance()
  }
}
