import type { Recorded, RecordedEvent } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { compareBurnOrder } from '../../../domain/creditLots/burnOrder.ts'
import type { LotView } from '../../../domain/creditLots/lot.ts'
import { balanceMicros } from '../../../domain/ledger/balance.ts'
import { ledgerDecider } from '../../../domain/ledger/decider.ts'
import { MonthReplay } from '../../../domain/postpaid/monthReplay.ts'
import { statementLine } from '../../../domain/statement/line.ts'
import { topUpDecider } from '../../../domain/topUp/decider.ts'
import { spentInMonth } from '../../../domain/topUp/state.ts'
import { creditBalances } from '../../../projections/creditBalances/projection.ts'
import { creditTransactions } from '../../../projections/creditTransactions/projection.ts'
import { disputes } from '../../../projections/disputes/projection.ts'
import { invoices } from '../../../projections/invoices/projection.ts'
import { monthCloses } from '../../../projections/monthCloses/projection.ts'
import { applyEvents, type Projection, type Row, type RowsByKey } from '../../../projections/projection.ts'
import { purchases } from '../../../projections/purchases/projection.ts'
import { topUps } from '../../../projections/topUps/projection.ts'

/** The read models that agree with the model after every step. */
export const MONEY_MODELS = [
  creditBalances,
  creditTransactions,
  purchases,
  invoices,
  disputes,
  topUps,
  monthCloses,
] as const

/** Any view of the money, as texts and numbers that print well and compare by their JSON. */
export type Figures = Readonly<Record<string, unknown>>

/** What the folds and read models of the product say after the events so far. */
export class ProductFigures {
  readonly #rows = new Map<string, RowsByKey<Row>>()
  #ledger = ledgerDecider.initialState()
  #topUp = topUpDecider.initialState()
  readonly #months = new MonthReplay()
  #statement = { number: 0, balanceMicros: 0n, sum: 0n }

  add(event: RecordedEvent): void {
    const category = event.stream.slice(0, event.stream.indexOf('-'))
    if (category === 'ledger') this.#addToLedger(event as unknown as Recorded<LedgerEvent>)
    if (category === 'topUp') this.#topUp = topUpDecider.evolve(this.#topUp, event as never)
    for (const model of MONEY_MODELS) {
      if ((model.categories as readonly string[]).includes(category)) this.#apply(model as never, event)
    }
  }

  rows<Shown>({ name }: { readonly name: string }): Shown[] {
    return [...(this.#rows.get(name)?.values() ?? [])] as Shown[]
  }

  /** The balance that top-up looks at, as the read model has it. */
  get balance(): { readonly balanceMicros: string; readonly grantsMicros: string } {
    const [row] = this.rows<{ balanceMicros: string; grantsMicros: string }>(creditBalances)
    return { balanceMicros: row?.balanceMicros ?? '0', grantsMicros: row?.grantsMicros ?? '0' }
  }

  figures(month: string): Figures {
    const { balanceMicros: ofModel } = this.balance
    return {
      ledger: Object.fromEntries(
        Object.entries(this.#ledger).map(([name, sum]) => [name.replace('Micros', ''), Number(sum)]),
      ),
      balance: Number(balanceMicros(this.#ledger)),
      balanceOfReadModel: Number(ofModel),
      statement: [Number(this.#statement.balanceMicros), Number(this.#statement.sum)],
      transactions: sumOf(this.rows<{ amountMicros: string }>(creditTransactions).map((row) => row.amountMicros)),
      disputes: texts(
        this.rows<{ disputeId: string; status: string }>(disputes).map((row) => `${row.disputeId} ${statusOf(row)}`),
      ),
      refundedPurchases: texts(
        this.rows<{ purchaseId: string; status: string; refundedMicros: string }>(purchases)
          .filter(({ status }) => status === 'COMPLETED')
          .map((row) => `${row.purchaseId} ${row.refundedMicros}`),
      ),
      topUp: {
        isOn: this.#topUp.status === 'on',
        isOnByReadModel: this.rows<{ isOn: boolean }>(topUps)[0]?.isOn ?? false,
        spent: Number(spentInMonth(this.#topUp, month)),
        attempts: this.#topUp.attempts.map(({ status }) => status).toReversed(),
      },
      months: this.#months.months.map(({ month: name, bill, recorded, settled }) => {
        const agrees = recorded?.creditsMicros === bill.creditsMicros && recorded.amountMinor === bill.amountMinor
        return `${name} ${bill.creditsMicros} ${bill.amountMinor} ${settled ? 'settled' : 'open'}${agrees ? '' : ' differs'}`
      }),
      monthsOfReadModel: texts(
        this.rows<{ month: string; creditsMicros: string; amountMinor: string; settledAt: string | null }>(
          monthCloses,
        ).map((row) => `${row.month} ${row.creditsMicros} ${row.amountMinor} ${row.settledAt ? 'settled' : 'open'}`),
      ),
      usageInvoices: texts(
        this.rows<{ month: string | null; status: string }>(invoices).flatMap(({ month: name, status }) =>
          name === null ? [] : [`${name} ${status}`],
        ),
      ),
    }
  }

  #addToLedger(event: Recorded<LedgerEvent>): void {
    this.#ledger = ledgerDecider.evolve(this.#ledger, event)
    this.#months.add(event)
    const { number, balanceMicros: before, sum } = this.#statement
    const line = statementLine(event, { number, id: event.id, time: event.recordedAt, balanceMicros: before })
    this.#statement = { number: number + 1, balanceMicros: line.balanceMicros, sum: sum + line.deltaMicros }
  }

  #apply(model: Projection, event: RecordedEvent): void {
    this.#rows.set(model.name, applyEvents(model, [event], this.#rows.get(model.name) ?? new Map()))
  }
}

export type ShownLot = {
  readonly lotId: string
  readonly terms: readonly unknown[]
  readonly sums: Readonly<Record<string, number>>
}

/** In the order in which calls burn them, whether or not they may. */
export function shownLots(lots: readonly LotView[]): ShownLot[] {
  return lots
    .map((lot, age) => ({ ...lot, age }))
    .toSorted(compareBurnOrder)
    .map(({ lotId, source, priority, expiresAtMs, takenMicros, ...lot }) => ({
      lotId,
      terms: [source, priority, expiresAtMs],
      sums: {
        ...{ granted: Number(lot.grantedMicros), spent: Number(lot.spentMicros), expired: Number(lot.expiredMicros) },
        ...{ left: Number(lot.leftMicros), owed: Number(lot.owedMicros) },
        ...{ refunded: Number(takenMicros.refund), disputed: Number(takenMicros.dispute) },
        corrected: Number(takenMicros.correction),
      },
    }))
}

function statusOf({ status }: { readonly status: string }): string {
  return status === 'NEEDS_RESPONSE' || status === 'UNDER_REVIEW' ? 'open' : status.toLowerCase()
}

function sumOf(amounts: readonly string[]): number {
  return Number(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n))
}

function texts(all: readonly string[]): string[] {
  return all.toSorted()
}
