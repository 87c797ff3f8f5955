import { SERIES_MAX, type Series } from './series.ts'

type Node = { readonly group: string; readonly subgroup: string | null; readonly amountMicros: string }

/**
 * Usage by day and a second group as series of a stacked chart, most expensive first. Days without calls count as 0; groups
 * beyond the number of colours are combined at the end.
 */
export function stackedDays(nodes: readonly Node[], days: readonly string[]): Series[] {
  const place = new Map(days.map((day, n) => [day.slice(0, 10), n]))
  const bySubgroup = new Map<string, bigint[]>()
  for (const { group, subgroup, amountMicros } of nodes) {
    const day = place.get(group.slice(0, 10))
    if (day === undefined) continue
    const amounts = bySubgroup.get(subgroup ?? '') ?? days.map(() => 0n)
    amounts[day] = (amounts[day] ?? 0n) + BigInt(amountMicros)
    bySubgroup.set(subgroup ?? '', amounts)
  }
  return fewSeries(bySubgroup)
}

function fewSeries(bySubgroup: ReadonlyMap<string, readonly bigint[]>): Series[] {
  const sorted = [...bySubgroup]
    .map(([name, micros]) => ({ name, micros, sum: micros.reduce((sum, one) => sum + one, 0n) }))
    .filter(({ sum }) => sum > 0n)
    .toSorted((a, b) => (a.sum > b.sum ? -1 : a.sum < b.sum ? 1 : a.name < b.name ? -1 : 1))
  if (sorted.length <= SERIES_MAX) return sorted.map(({ name, micros }) => ({ name, micros }))
  const rest = sorted.slice(SERIES_MAX - 1)
  const micros = (rest[0]?.micros ?? []).map((_, day) => rest.reduce((sum, one) => sum + (one.micros[day] ?? 0n), 0n))
  const shown = sorted.slice(0, SERIES_MAX - 1).map((one) => ({ name: one.name, micros: one.micros }))
  return [...shown, { name: `${rest.length} others`, micros }]
}
