/** The times that lists can be narrowed to, in days. */
export const DAYS = [1, 7, 30, 90] as const

/** The days of an address; nothing for a number that no filter offers. */
export function daysIn({ days }: Record<string, unknown>): { readonly days?: number } {
  const found = DAYS.find((one) => one === days)
  return found === undefined ? {} : { days: found }
}
