import type { Position } from '../../../contracts/position.ts'
import type { Database } from '../../../projections/runner/ports.ts'
import type { Clock } from '../../clock/clock.ts'
import { within } from '../../clock/within.ts'
import { HOLD_TIMES } from './memoryHolds.ts'
import type { HeldCall, HoldAnswer, HoldRequest, HoldTable, HoldTimes, SettledCall } from './port.ts'

/** How long a call waits for the result of a hold operation in Postgres. */
const HOLD_ANSWER_MS = 2_000

/** Rows of gateways that are gone are deleted after this time. */
const OWNERS_KEPT = '1 day'

type PlacedRow = {
  readonly outcome: 'held' | 'refused' | 'behind' | 'lapsed'
  readonly held: string
  readonly unseen: string
  readonly floor: Position
  readonly lapsed: string[]
}

/** Holds of several gateways without Redis. The decisions are made by the functions of `migrations/0006-holds.sql`. */
export class PostgresHolds implements HoldTable {
  readonly #sql: Pick<Database, 'query'>
  readonly #clock: Clock
  readonly #times: HoldTimes

  constructor(sql: Pick<Database, 'query'>, clock: Clock, times: HoldTimes = HOLD_TIMES) {
    this.#sql = sql
    this.#clock = clock
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
    if (!row) throw new Error('place_hold returned no row')
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

  /** Holds are as durable as the rest of the database, so there is nothing to restore. */
  async reopen(): Promise<void> {}

  #ask<Row extends Record<string, unknown>>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return within(this.#sql.query<Row>(text, values), HOLD_ANSWER_MS, this.#clock)
  }
}
