import type { InfiniteData } from '@tanstack/react-query'
import type { CallsQuery } from '../../graphql/generated.ts'
import type { Call } from './callWords.ts'

export type CallPages = InfiniteData<CallsQuery, string | null>

export type CallFilters = {
  readonly keyId: string | null
  readonly alias: string | null
  readonly label: string | null
  readonly state: Call['state'] | null
  readonly from: string | null
}

/** The most rows that the first page may grow to. */
export const LIVE_ROWS_MAX = 300

/** The list with the calls that have just ended; null if there are so many that it must be refetched. */
export function withCalls(pages: CallPages, arrived: readonly Call[], filters: CallFilters): CallPages | null {
  const [first, ...others] = pages.pages
  if (!first) return pages
  const known = new Set(pages.pages.flatMap((page) => page.calls.nodes.map(({ id }) => id)))
  const fresh = arrived.filter((call) => !known.has(call.id) && isListed(call, filters))
  if (fresh.length === 0) return pages
  const nodes = [...fresh, ...first.calls.nodes].sort(newestFirst)
  if (nodes.length > LIVE_ROWS_MAX) return null
  return { ...pages, pages: [{ ...first, calls: { ...first.calls, nodes } }, ...others] }
}

function isListed(call: Call, { keyId, alias, label, state, from }: CallFilters): boolean {
  return (
    (keyId === null || call.keyId === keyId) &&
    (alias === null || call.alias === alias) &&
    (label === null || call.label === label) &&
    (state === null || call.state === state) &&
    (from === null || Date.parse(call.finishedAt) >= Date.parse(from))
  )
}

/** Sorts by time, then by id. */
function newestFirst(a: Call, b: Call): number {
  const later = Date.parse(b.finishedAt) - Date.parse(a.finishedAt)
  return later !== 0 ? later : a.id < b.id ? 1 : -1
}
