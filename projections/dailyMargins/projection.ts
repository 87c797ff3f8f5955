import { isOfCall, type LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../../domain/decider.ts'
import { dayOf } from '../dailyTokens/projection.ts'
import { plus } from '../plus.ts'
import type { Projection } from '../projection.ts'

export type DailyMarginsRow = {
  /** In UTC, as YYYY-MM-DD. A call counts on the day on which it finished. */
  readonly day: string
  readonly companyId: string
  readonly alias: string
  /** Empty if the ledger names none: the call predates that field, or no provider was asked. */
  readonly provider: string
  /** Empty if the cost of the calls is unknown. */
  readonly costCurrency: string
  /** Charged calls, excluding reversed ones. */
  readonly calls: string
  /** Failed calls, and those whose charge was reversed. */
  readonly failures: string
  readonly chargedMicros: string
  /** In millionths of the currency. Includes failed calls whose provider reported its usage. */
  readonly costMicros: string
}

/** The revenue from the calls of a day, and what their providers charge for them. */
export const dailyMargins: Projection<DailyMarginsRow, LedgerEvent> = {
  name: 'daily-margins',
  version: 1,
  categories: ['ledger'],
  table: 'daily_margins',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['day', 'companyId', 'alias', 'provider', 'costCurrency'],
  rowsOf: (event) => {
    const counted = countedOf(event)
    return counted ? [keyOf(counted.call)] : []
  },
  evolve: (row, event) => {
    const counted = countedOf(event)
    if (!counted) throw new Error(`${event.type} ${event.id} is not the end of a call`)
    return {
      ...keyOf(counted.call),
      calls: plus(row?.calls, counted.calls),
      failures: plus(row?.failures, counted.failures),
      chargedMicros: plus(row?.chargedMicros, counted.chargedMicros),
      costMicros: plus(row?.costMicros, counted.costMicros),
    }
  },
}

type Call = {
  readonly companyId: string
  readonly alias: string
  readonly finishedAt: string
  readonly provider: string | null
  readonly costCurrency: string | null
}

type Counted = {
  readonly call: Call
  readonly calls: number
  readonly failures: number
  readonly chargedMicros: string
  readonly costMicros: string
}

function keyOf({ companyId, alias, finishedAt, provider, costCurrency }: Call) {
  return { day: dayOf(finishedAt), companyId, alias, provider: provider ?? '', costCurrency: costCurrency ?? '' }
}

function countedOf(event: LedgerEvent): Counted | null {
  if (!isOfCall(event)) return null
  switch (event.type) {
    case 'CallCharged': {
      const { data } = event
      return { call: data, calls: 1, failures: 0, chargedMicros: data.amountMicros, costMicros: data.costMicros ?? '0' }
    }
    case 'CallFailed':
      return { call: event.data, calls: 0, failures: 1, chargedMicros: '0', costMicros: event.data.costMicros ?? '0' }
    case 'ChargeReversed':
      // The caller gets the credits back, but the provider is still paid.
      return { call: event.data, calls: -1, failures: 1, chargedMicros: `-${event.data.amountMicros}`, costMicros: '0' }
    default:
      return unexpected(event)
  }
}
