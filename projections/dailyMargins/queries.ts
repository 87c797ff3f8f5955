import type { Sql } from '../runner/ports.ts'

export const MARGIN_GROUPS = ['alias', 'provider', 'day'] as const
export type MarginGroup = (typeof MARGIN_GROUPS)[number]

/** One group and one currency. */
export type MarginTotals = {
  /** Empty for calls whose provider is unknown. */
  readonly group: string
  /** Empty for calls whose cost is unknown. */
  readonly costCurrency: string
  readonly calls: string
  readonly failures: string
  readonly chargedMicros: string
  readonly costMicros: string
}

/** For all companies together, from the first to the last day, both inclusive. */
export function marginsByGroup(
  sql: Sql,
  { firstDay, lastDay, groupBy }: { firstDay: string; lastDay: string; groupBy: MarginGroup },
): Promise<MarginTotals[]> {
  return sql.query<MarginTotals>(
    `select ${groupBy} as "group", cost_currency, sum(calls)::text as calls, sum(failures)::text as failures,
       sum(charged_micros)::text as charged_micros, sum(cost_micros)::text as cost_micros
     from read_models.daily_margins where day >= $1 and day <= $2 group by 1, 2 order by 1, 2`,
    [firstDay, lastDay],
  )
}

export type CostTotals = Omit<MarginTotals, 'group'> & { readonly alias: string; readonly provider: string }

/** Revenue and cost of the calls of all companies on these days, both inclusive, for each provider of an alias. */
export function costsByProvider(sql: Sql, firstDay: string, lastDay: string): Promise<CostTotals[]> {
  return sql.query<CostTotals>(
    `select alias, provider, cost_currency, sum(calls)::text as calls, sum(failures)::text as failures,
       sum(charged_micros)::text as charged_micros, sum(cost_micros)::text as cost_micros
     from read_models.daily_margins where day >= $1 and day <= $2 group by 1, 2, 3 order by 1, 2, 3`,
    [firstDay, lastDay],
  )
}
