import type { Period } from './statementSearch.ts'

/** The UTC days of a period as a title: 1–17 November 2026, or November 2026 for the whole month. */
export function periodName({ from, to }: Period, locale?: string): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  const [first, last] = [new Date(from), new Date(to)]
  if (isMonth(first, last)) return format({ year: 'numeric', month: 'long' }).format(first)
  return format({ dateStyle: 'long' }).formatRange(first, last)
}

function isMonth(first: Date, last: Date): boolean {
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()]
  const end = Date.UTC(year, month + 1, 0)
  return first.getUTCDate() === 1 && last.getTime() === end
}
