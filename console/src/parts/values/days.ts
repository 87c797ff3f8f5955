/** The periods that lists can be limited to, in days. */
export const DAYS = [1, 7, 30, 90] as const

/** The days from the address; undefined for a number that the filter does not offer. */
export function daysIn({ days }: Record<string, unknown>): { readonly days?: number } {
  const found = DAYS.find((one) => one === days)
  return found === undefined ? {} : { days: found }
}
