import { isOfCall, type LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../../domain/decider.ts'
import { plus } from '../plus.ts'
import type { Projection } from '../projection.ts'

export type DailyTokensRow = {
  /** In UTC, as YYYY-MM-DD. A call counts on the day on which it finished. */
  readonly day: string
  readonly companyId: string
  /** Tokens of charged calls, in and out, excluding reversed ones. */
  readonly tokensCharged: string
  /** The estimated tokens of streams whose callers disconnected. */
  readonly tokensAbandoned: string
}

/** How many tokens each company was charged for on a day, and how many it abandoned. */
export const dailyTokens: Projection<DailyTokensRow, LedgerEvent> = {
  name: 'daily-tokens',
  version: 1,
  categories: ['ledger'],
  table: 'daily_tokens',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['day', 'companyId'],
  rowsOf: (event) => {
    const tokens = tokensOf(event)
    return tokens ? [{ day: tokens.day, companyId: tokens.companyId }] : []
  },
  evolve: (row, event) => {
    const tokens = tokensOf(event)
    if (!tokens) throw new Error(`${event.type} ${event.id} has no tokens`)
    return {
      day: tokens.day,
      companyId: tokens.companyId,
      tokensCharged: plus(row?.tokensCharged, tokens.charged),
      tokensAbandoned: plus(row?.tokensAbandoned, tokens.abandoned),
    }
  },
}

export type DayTokens = {
  readonly companyId: string
  readonly day: string
  readonly charged: number
  readonly abandoned: number
}

/** The tokens that an event adds to a day or subtracts from it; null if it has none. */
export function tokensOf(event: LedgerEvent): DayTokens | null {
  if (!isOfCall(event)) return null
  switch (event.type) {
    case 'CallCharged': {
      const { companyId, finishedAt, tokensIn, tokensOut } = event.data
      return { companyId, day: dayOf(finishedAt), charged: tokensIn + tokensOut, abandoned: 0 }
    }
    case 'CallFailed': {
      const { companyId, finishedAt, tokensAbandoned } = event.data
      if (tokensAbandoned === null) return null
      return { companyId, day: dayOf(finishedAt), charged: 0, abandoned: tokensAbandoned }
    }
    case 'ChargeReversed': {
      const { companyId, finishedAt, tokensIn, tokensOut } = event.data
      return { companyId, day: dayOf(finishedAt), charged: -tokensIn - tokensOut, abandoned: 0 }
    }
    default:
      return unexpected(event)
  }
}

/** Cuts the ISO text instead of parsing it, because this runs for every call. */
export function dayOf(time: string): string {
  return time.slice(0, 10)
}
