import pg from 'pg'
import type { NewEvent, RecordedEvent } from '../../../contracts/envelope.ts'
import { BEGINNING } from '../../../contracts/position.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { PostgresEventStore } from '../../../platform/eventStore/postgres/postgresEventStore.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { createTestDatabase } from './database.ts'
import { patientDatabase } from './patientDatabase.ts'

/** A Postgres event store on its own database, with the means to disturb it. */
export class PostgresStoreHarness {
  readonly database: PostgresDatabase
  readonly store: PostgresEventStore
  /** Another session, for transactions that stay open. */
  readonly stranger: pg.Client
  readonly #drop: () => Promise<void>

  private constructor(database: PostgresDatabase, stranger: pg.Client, drop: () => Promise<void>) {
    this.database = database
    this.store = new PostgresEventStore(database, systemClock)
    this.stranger = stranger
    this.#drop = drop
  }

  static async open(): Promise<PostgresStoreHarness> {
    const testDatabase = await createTestDatabase('migrated')
    const database = patientDatabase({ url: testDatabase.url })
    const stranger = new pg.Client({ connectionString: testDatabase.url })
    await stranger.connect()
    return new PostgresStoreHarness(database, stranger, testDatabase.drop)
  }

  async close(): Promise<void> {
    await this.stranger.end()
    await this.store.close()
    await this.database.close()
    await this.#drop()
  }

  /** An append like that of the store's own writer, in the open transaction of `stranger`. */
  async appendByHand(stream: string, event: NewEvent): Promise<void> {
    const { id, type, data, metadata } = event
    const values = [[stream], [1], [-2], [0], [1], [1], [id], type, JSON.stringify(data), JSON.stringify(metadata)]
    await this.stranger.query('select event_store.append_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', values)
  }

  /** Collects everything from a subscription that starts at the beginning. */
  follow(): { readonly seen: RecordedEvent[]; stop(): Promise<void> } {
    const end = new AbortController()
    const seen: RecordedEvent[] = []
    const ended = (async () => {
      for await (const { events } of this.store.subscribe({ after: BEGINNING, signal: end.signal }))
        seen.push(...events)
    })()
    const stop = () => {
      end.abort()
      return ended
    }
    return { seen, stop }
  }

  /** The store's own connections, by purpose. */
  async sessions(purpose: 'appends' | 'live tail', condition = 'true'): Promise<{ pid: number }[]> {
    return this.database.query(
      `select pid from pg_stat_activity where datname = current_database() and application_name = $1 and ${condition}`,
      [`tollgate ${purpose}`],
    )
  }

  async endSession(pid: number | undefined): Promise<void> {
    await this.database.query('select pg_terminate_backend($1, 5000)', [pid])
  }

  async positions(): Promise<number[]> {
    const rows = await this.database.query<{ position: string }>(
      'select position from event_store.events order by position',
    )
    return rows.map((row) => Number(row.position))
  }
}
