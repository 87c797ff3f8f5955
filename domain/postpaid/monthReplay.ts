import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import type { PostpaidTerms } from '../../contracts/events/postpaid.ts'
import { UsageRange } from './usageRange.ts'

type DataOf<Type extends LedgerEvent['type']> = Extract<LedgerEvent, { type: Type }>['data']
export type BilledMonth = DataOf<'MonthBilled'>
/** What a closed month costs, determined by the ledger alone. */
export type Bill = Omit<BilledMonth, 'billedAt'>

type Placed = { readonly revision: number }

export type ReplayedMonth = {
  readonly month: string
  readonly closedAt: string
  readonly terms: PostpaidTerms
  /** Computed from the ledger range. */
  readonly bill: Bill
  /** As recorded; null if not recorded yet. */
  recorded: BilledMonth | null
  settled: DataOf<'InvoiceSettled'> | null
}

/** Adds the entries after a close up to the next one. */
export class OpenRange {
  readonly #afterRevision: number
  readonly #range: UsageRange

  constructor(afterRevision: number, openingMicros: bigint) {
    this.#afterRevision = afterRevision
    this.#range = new UsageRange(openingMicros)
  }

  add(event: LedgerEvent): void {
    this.#range.add(event)
  }

  get usageMicros(): bigint {
    return this.#range.usageMicros
  }

  /** What the range would cost if it were closed at this revision. */
  bill({ companyId, month, terms }: Pick<DataOf<'MonthClosed'>, 'companyId' | 'month' | 'terms'>, at: Placed): Bill {
    const range = { afterRevision: this.#afterRevision, closeRevision: at.revision }
    return { companyId, month, ...range, ...this.#range.bill(terms) }
  }
}

/** Replays a whole ledger, each event once and in order, and computes what each closed month costs. */
export class MonthReplay {
  readonly months: ReplayedMonth[] = []
  /** The entries after the last close. */
  open = new OpenRange(-1, 0n)

  add(event: LedgerEvent & Placed): void {
    this.open.add(event)
    if (event.type === 'MonthBilled') {
      const month = this.#month(event.data.month)
      if (month) month.recorded ??= event.data
    }
    if (event.type === 'InvoiceSettled') {
      const month = this.#month(event.data.month)
      if (month) month.settled ??= event.data
    }
    if (event.type !== 'MonthClosed') return
    const { month, closedAt, terms } = event.data
    const bill = this.open.bill(event.data, event)
    this.months.push({ month, closedAt, terms, bill, recorded: null, settled: null })
    this.open = new OpenRange(event.revision, BigInt(bill.carriedMicros))
  }

  #month(name: string): ReplayedMonth | undefined {
    return this.months.find(({ month }) => month === name)
  }
}

/** The first field in which a recorded bill differs from the one computed from its range; null if they are equal. */
export function billDifference(bill: Bill, recorded: BilledMonth): string | null {
  const fields = Object.keys(bill) as (keyof Bill)[]
  return fields.find((field) => textOf(bill[field]) !== textOf(recorded[field])) ?? null
}

/** Equal values give the same text, in whatever order a store returns their fields. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  })
}
