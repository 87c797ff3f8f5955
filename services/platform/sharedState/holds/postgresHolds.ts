import type { Position } from '../../../../contracts/position.ts'
import type { Database } from '../../../../projections/runner/ports.ts'
import { inTime } from '../inTime.ts'
import { HOLD_TIMES } from './memoryHolds.ts'
import type { HeldCall, HoldAnswer, HoldRequest, HoldTable, HoldTimes, SettledCall } from './port.ts'

/** How long a call waits for its place among the holds where they are in Postgres. */
const HOLD_ANSWER_MS = 2_000

/** After this long nobody asks for a gateway that is gone. */
const OWNERS_KEPT = '1 day'

type PlacedRow = {
  readonly outcome: 'held' | 'refused' | 'behind' | 'lapsed'
  readonly held: string
  readonly unseen: string
  readonly floor: Position
  readonly lapsed: string[]
}

/** For several gateways without Redis. What it decides stands in `migrations/0006-holds.sql`. */
export class PostgresHolds implements HoldTable {
  readonly #sql: Pick<Database, 'query'>
  readonly #times: HoldTimes

  constructor(sql: Pick<Database, 'query'>, times: HoldTimes = HOLD_TIMES) {
    this.#sql = sql
    this.#times = times
  }

  async enter(owner: string): Promise<void> {
    await this.#ask(
      `with old as (delete from platform.hold_owners where expires_at < clock_timestamp() - interval '${OWNERS_KEPT}')
       insert into platform.hold_owners (owner, expires_at) values ($1, clock_timestamp() + $2 * interval '1 ms')
       on conflict (owner) do update set expires_at = excluded.expires_at`,
      [owner, this.#times.leaseMs],
    )
  }

  async renew(owner: string): Promise<boolean> {
    const renewed = await this.#ask(
      `update platform.hold_owners set expires_at = clock_timestamp() + $2 * interval '1 ms'
       where owner = $1 and expires_at > clock_timestamp() returning 1`,
      [owner, this.#times.leaseMs],
    )
    return renewed.length === 1
  }

  async place(request: HoldRequest): Promise<HoldAnswer> {
    const { owner, companyId, holdId, amountMicros, balanceMicros, position } = request
    const [row] = await this.#ask<PlacedRow>('select * from platform.place_hold($1, $2, $3, $4, $5, $6, $7)', [
      ...[owner, companyId, holdId, amountMicros.toString(), balanceMicros.toString(), position],
      this.#times.settledKeptMs,
    ])
    if (!row) throw new Error('place_hold answered nothing')
    const { outcome, lapsed, floor } = row
    switch (outcome) {
      case 'held':
        return { outcome, lapsed }
      case 'refused':
        return { outcome, heldMicros: BigInt(row.held), unseenMicros: BigInt(row.unseen), lapsed }
      case 'behind':
        return { outcome, floor }
      case 'lapsed':
        return { outcome }
    }
  }

  async settle({ owner, companyId, holdId, position, amountMicros }: SettledCall): Promise<void> {
    const values = [owner, companyId, holdId, position, amountMicros.toString()]
    await this.#ask('select platform.settle_hold($1, $2, $3, $4, $5)', values)
  }

  async release({ owner, companyId, holdId }: HeldCall): Promise<void> {
    await this.#ask('select platform.release_hold($1, $2, $3)', [owner, companyId, holdId])
  }

  async reap(companyId: string, owner: string, head: Position): Promise<void> {
    await this.#ask('select platform.reap_holds($1, $2, $3)', [companyId, owner, head])
  }

  /** What it holds is as durable as the rest of the database. */
  async found(): Promise<void> {}

  #ask<Row extends Record<string, unknown>>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return inTime(this.#sql.query<Row>(text, values), HOLD_ANSWER_MS)
  }
}
