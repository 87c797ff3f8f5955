import { isoTime } from '../../../platform/clock/clock.ts'
import { apiError } from './apiError.ts'

/** Rows of a list without paging. */
export const LIST_ROWS_MAX = 10_000
const PAGE_ROWS_DEFAULT = 50
export const PAGE_ROWS_MAX = 200

/** The number of rows of a page. */
export function requireFirst(first: number | null | undefined): number {
  const wanted = first ?? PAGE_ROWS_DEFAULT
  if (wanted >= 1 && wanted <= PAGE_ROWS_MAX) return wanted
  throw apiError('BAD_USER_INPUT', `first must be a number from 1 to ${PAGE_ROWS_MAX}`)
}

/** Opaque to callers, so its content may change. */
export function cursorOf(place: string): string {
  return Buffer.from(place).toString('base64url')
}

export function readCursor(cursor: string | null | undefined, form: RegExp): string | null {
  if (cursor == null) return null
  const place = Buffer.from(cursor, 'base64url').toString()
  if (form.test(place)) return place
  throw apiError('BAD_USER_INPUT', 'after must be the endCursor of a previous page')
}

/** Takes one extra row, which shows whether there is a next page. */
export function pageOf<Row>(rows: readonly Row[], limit: number, cursor: (row: Row) => string) {
  const nodes = rows.slice(0, limit)
  const last = nodes.at(-1)
  return { nodes, pageInfo: { hasNextPage: rows.length > limit, endCursor: last ? cursor(last) : null } }
}

/** A cursor into a list that is ordered by time and then by an id. The time is in milliseconds, so that any digits are one. */
export function timeCursorOf(time: string, id: string): string {
  return cursorOf(`${Date.parse(time)} ${id}`)
}

export function readTimeCursor(cursor: string | null | undefined, id: RegExp): { time: string; id: string } | null {
  const place = readCursor(cursor, new RegExp(`^\\d{1,14} ${id.source}$`))
  if (place === null) return null
  const [ms = '', found = ''] = place.split(' ')
  return { time: isoTime(Number(ms)), id: found }
}
