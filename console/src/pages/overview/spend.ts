import type { SpendQuery } from '../../graphql/generated.ts'
import type { Series } from '../../parts/charts/series.ts'
import { stackedDays } from '../../parts/charts/stackedDays.ts'

type DayNode = SpendQuery['days']['nodes'][number]

export type Spend = {
  readonly days: readonly string[]
  /** By alias. */
  readonly series: readonly Series[]
  readonly totalMicros: bigint
  readonly requests: number
  readonly failures: number
}

/** Sums usage by day and alias, with an entry for every day of the range. */
export function spendOf(nodes: readonly DayNode[], days: readonly string[]): Spend {
  const series = stackedDays(nodes, days)
  const totalMicros = nodes.reduce((sum, { amountMicros }) => sum + BigInt(amountMicros), 0n)
  const requests = nodes.reduce((sum, node) => sum + node.requests, 0)
  const failures = nodes.reduce((sum, node) => sum + node.failures, 0)
  return { days, series, totalMicros, requests, failures }
}

/**
 * The days that the balance lasts at last week's average; null if nothing was spent or nothing is left.
 */
export function daysLeft(balanceMicros: bigint, spend: Pick<Spend, 'series' | 'days'>): number | null {
  const count = Math.min(7, spend.days.length)
  const week = spend.series.flatMap(({ micros }) => micros.slice(-count)).reduce((sum, one) => sum + one, 0n)
  if (week <= 0n || balanceMicros <= 0n) return null
  return Math.floor(Number((balanceMicros * BigInt(count) * 10n) / week) / 10)
}
