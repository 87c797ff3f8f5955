import { utcDayStart } from '../../api/now.ts'

/** The period of a statement, as URL search parameters: UTC days, both inclusive. */
export type StatementSearch = { readonly from?: string; readonly to?: string }

const DAY_MS = 86_400_000

export function statementSearch(search: Record<string, unknown>): StatementSearch {
  const [from, to] = [dayIn(search.from), dayIn(search.to)]
  return { ...(from && { from }), ...(to && { to }) }
}

function dayIn(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null
  const ms = Date.parse(value)
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== value ? null : value
}

export type Period = { readonly from: string; readonly to: string }

/** The days in the address; by default, this UTC month until today. */
export function shownDays(search: StatementSearch): Period {
  const to = search.to ?? utcDayStart(0).slice(0, 10)
  return { from: search.from ?? `${to.slice(0, 8)}01`, to }
}

/** The period as API arguments: times, the end exclusive. */
export function momentsOf({ from, to }: Period): Period {
  return { from: `${from}T00:00:00.000Z`, to: new Date(Date.parse(to) + DAY_MS).toISOString() }
}

export function lastMonth(today: string): Period {
  const to = new Date(Date.parse(`${today.slice(0, 8)}01`) - DAY_MS).toISOString().slice(0, 10)
  return { from: `${to.slice(0, 8)}01`, to }
}
