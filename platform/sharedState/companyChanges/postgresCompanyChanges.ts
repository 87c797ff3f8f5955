import type { Position } from '../../../contracts/position.ts'
import type { Database } from '../../../projections/runner/ports.ts'
import type { Clock } from '../../clock/clock.ts'
import { within } from '../../clock/within.ts'
import { CHANGE_KEPT_MS, type ChangedCategory, type ChangedPositions, type CompanyChanges } from './port.ts'

/** How long a refusal waits for Postgres. */
const ANSWER_MS = 500

type ChangeRow = { readonly category: ChangedCategory; readonly position: Position }

/** Changes of companies for several processes without Redis: one row per company and category. */
export class PostgresCompanyChanges implements CompanyChanges {
  readonly #sql: Pick<Database, 'query'>
  readonly #clock: Clock

  constructor(sql: Pick<Database, 'query'>, clock: Clock) {
    this.#sql = sql
    this.#clock = clock
  }

  async record(companyId: string, category: ChangedCategory, position: Position): Promise<void> {
    await this.#ask(
      `insert into platform.company_changes as known (company_id, category, position, changed_at)
       values ($1, $2, $3, clock_timestamp())
       on conflict (company_id, category) do update set position = excluded.position, changed_at = excluded.changed_at
       where known.position < excluded.position`,
      [companyId, category, position],
    )
  }

  async read(companyId: string): Promise<ChangedPositions> {
    const rows = await this.#ask<ChangeRow>(
      `select category, position from platform.company_changes
       where company_id = $1 and changed_at > clock_timestamp() - $2 * interval '1 ms'`,
      [companyId, CHANGE_KEPT_MS],
    )
    return Object.fromEntries(rows.map(({ category, position }) => [category, position]))
  }

  #ask<Row extends Record<string, unknown>>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return within(this.#sql.query<Row>(text, values), ANSWER_MS, this.#clock)
  }
}
