import type { Sql } from '../runner/ports.ts'
import type { DailyTokensRow } from './projection.ts'

/** The tokens of all companies from this day on, oldest day first. */
export function dailyTokensFrom(sql: Sql, day: string): Promise<DailyTokensRow[]> {
  return sql.query<DailyTokensRow>('select * from read_models.daily_tokens where day >= $1 order by day', [day])
}
