import pg from 'pg'
import type { Clock } from '../../clock/clock.ts'
import { type Connecting, dropConnection, KEPT_ALIVE } from '../../postgres/database.ts'
import { AppendOutcomeUnknown, EventRefused, StoreUnavailable, WrongExpectedRevision } from '../port.ts'
import { APPEND_TIMEOUT_MS } from '../storeLimits.ts'
import { type BatchColumns, columnsOf, expectedNumber, parametersOf, type StoredAt } from './batchColumns.ts'
import { DatabaseClock } from './databaseClock.ts'
import type { Settle, WaitingAppend } from './groupCommit.ts'
import { positionOf } from './positionNumber.ts'

/**
 * The result of append_batch and append_one of migration 0020: everything is stored after this position, or each append has
 * an outcome of its own.
 */
type BatchAnswer = WholeAnswer | { readonly outcomes: readonly Outcome[] }

type WholeAnswer = { readonly position: number; readonly revisions: readonly number[]; readonly recorded_at: string }

type Outcome =
  | { readonly append_no: number; readonly accepted: true; readonly revision: number; readonly position: number }
  | {
      readonly append_no: number
      readonly accepted: false
      readonly current: number
      readonly stored: number
      readonly first_stored: number | null
      readonly revision: number | null
      readonly position: number | null
    }

const APPEND_BATCH = {
  name: 'append',
  text: 'select event_store.append_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, false) as answer',
}
const APPEND_ONE = {
  name: 'append one',
  text: 'select event_store.append_one($1, $2, $3, $4, $5, $6, $7) as answer',
}
type Statement = typeof APPEND_BATCH

/** The SQLSTATE of a batch that reached the counter after its deadline and was rolled back. */
const LATE = 'TG001'

/** Called for every batch that was stored as a whole. Listeners were not notified of it. */
export type OnStored = (batch: readonly WaitingAppend[], columns: BatchColumns, at: StoredAt) => void

/** Writes batches of appends over one connection. After a failure the next batch opens a new connection. */
export class BatchWriter {
  readonly #connecting: Connecting
  readonly #onStored: OnStored
  readonly #clock: Clock
  readonly #timeoutMs: number
  #connection: { readonly client: pg.Client; readonly time: DatabaseClock } | null = null

  constructor(connecting: Connecting, onStored: OnStored, clock: Clock, timeoutMs: number = APPEND_TIMEOUT_MS) {
    this.#connecting = connecting
    this.#onStored = onStored
    this.#clock = clock
    this.#timeoutMs = timeoutMs
  }

  async send(batch: readonly WaitingAppend[]): Promise<Settle> {
    const late = batch.filter(({ mayBeSent }) => mayBeSent?.() === false)
    if (late.length === 0) return this.#send(batch)
    for (const append of late) append.reject(new StoreUnavailable('the append may not be sent any more'))
    return late.length < batch.length ? this.#send(batch.filter((append) => !late.includes(append))) : () => {}
  }

  async #send(batch: readonly WaitingAppend[]): Promise<Settle> {
    try {
      const { columns, answer } = await this.#written(batch)
      return () => {
        if ('outcomes' in answer) return settleEach(batch, answer.outcomes)
        const at = storedAt(answer)
        this.#onStored(batch, columns, at)
        settleWhole(batch, columns, at)
      }
    } catch (error) {
      // The database rolled the whole transaction back: send each append alone to find out which one it refuses.
      if (isRefusal(error) && batch.length > 1) return this.#sendEachAlone(batch)
      return () => {
        for (const append of batch) append.reject(failureOf(append, error))
      }
    }
  }

  async #sendEachAlone(batch: readonly WaitingAppend[]): Promise<Settle> {
    const settles: Settle[] = []
    for (const append of batch) settles.push(await this.send([append]))
    return () => {
      for (const settle of settles) settle()
    }
  }

  async close(): Promise<void> {
    const connection = this.#connection
    this.#connection = null
    await connection?.client.end().catch(() => {})
  }

  async #written(batch: readonly WaitingAppend[]): Promise<{ columns: BatchColumns; answer: BatchAnswer }> {
    const [append] = batch
    const [event] = append?.events ?? []
    if (append === undefined || event === undefined || batch.length > 1 || append.events.length > 1) {
      const columns = columnsOf(batch)
      return { columns, answer: await this.#write(APPEND_BATCH, parametersOf(columns)) }
    }
    const { id, type, data, metadata } = event
    const expected = expectedNumber(append.expected)
    const writing = this.#write(APPEND_ONE, [append.stream, expected, id, type, data, metadata])
    // While the database works.
    const columns = columnsOf(batch)
    return { columns, answer: await writing }
  }

  async #write(statement: Statement, values: unknown[]): Promise<BatchAnswer> {
    const endMs = this.#clock.monotonicMs() + this.#timeoutMs
    const { client, time } = await this.#connected()
    const leftMs = endMs - this.#clock.monotonicMs()
    if (leftMs <= 0) throw new StoreUnavailable('the event store was reached too late')
    // The database refuses a batch that it has not begun to store by the time this writer stops waiting.
    const sent = [...values, time.after(leftMs)]
    const query = client.query<{ answer: BatchAnswer }>({ ...statement, values: sent })
    const timer = this.#clock.after(leftMs, () => this.#abandon(client))
    try {
      const [row] = (await query).rows
      if (!row) throw new Error(`${statement.name} returned no row`)
      return row.answer
    } catch (error) {
      if (!isRefusal(error)) this.#abandon(client)
      throw error
    } finally {
      timer.cancel()
    }
  }

  async #connected(): Promise<{ readonly client: pg.Client; readonly time: DatabaseClock }> {
    if (this.#connection) return this.#connection
    const client = new pg.Client({
      ...this.#connecting,
      ...KEPT_ALIVE,
      application_name: 'tollgate appends',
      connectionTimeoutMillis: APPEND_TIMEOUT_MS,
    })
    client.on('error', () => this.#abandon(client))
    // The driver's own limit ends with the connecting.
    const timer = this.#clock.after(this.#timeoutMs, () => dropConnection(client))
    let time: DatabaseClock
    try {
      await client.connect()
      // Generic plans are kept; otherwise half of the statements of each batch would be planned again. A plan made
      // while the tables are small must not scan them once they are large.
      await client.query('set plan_cache_mode to force_generic_plan; set enable_seqscan to off')
      time = await DatabaseClock.read(client, this.#clock)
    } catch (error) {
      dropConnection(client)
      throw new StoreUnavailable('the event store cannot be reached', error)
    } finally {
      timer.cancel()
    }
    this.#connection = { client, time }
    return this.#connection
  }

  /** A query that waits on the connection fails with an unknown outcome. */
  #abandon(client: pg.Client): void {
    // A broken connection may report it more than once, even after the next connection is open.
    if (this.#connection?.client === client) this.#connection = null
    dropConnection(client)
  }
}

function storedAt({ position, revisions, recorded_at }: WholeAnswer): StoredAt {
  return { position, revisions, recordedAt: new Date(recorded_at).toISOString() }
}

function settleEach(batch: readonly WaitingAppend[], outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) {
    const append = batch[outcome.append_no]
    if (append) settle(append, outcome)
  }
}

function settleWhole(batch: readonly WaitingAppend[], columns: BatchColumns, stored: StoredAt): void {
  let events = 0
  for (const append of batch) {
    events += append.events.length
    const ix = columns.streamIxs[events - 1] ?? 0
    const revision = (stored.revisions[ix] ?? -1) + (columns.nths[events - 1] ?? 0)
    append.resolve({ revision, position: positionOf(stored.position + events), repeated: false })
  }
}

function settle(append: WaitingAppend, outcome: Outcome): void {
  const { stream, expected, events } = append
  const { revision, position } = outcome
  if (outcome.accepted) {
    append.resolve({ revision: outcome.revision, position: positionOf(outcome.position), repeated: false })
  } else if (
    outcome.stored === events.length &&
    revision !== null &&
    position !== null &&
    (expected === 'any' || outcome.first_stored === expectedNumber(expected) + 1)
  ) {
    append.resolve({ revision, position: positionOf(position), repeated: true })
  } else if (outcome.stored > 0 && outcome.stored < events.length) {
    append.reject(
      new EventRefused(`${outcome.stored} of the event ids are already stored in ${stream}, the others are not`),
    )
  } else {
    append.reject(new WrongExpectedRevision(stream, expected, outcome.current === -1 ? null : outcome.current))
  }
}

/**
 * Whether the server reported that it rolled the statement back. Classes 57 (shutdown, terminated session) and 08
 * (connection failure) do not count, because the transaction may have been committed.
 */
function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^(?:2[0-9]|4[02]|5[345]|XX|P0)/.test(error.code ?? '')
}

function isLate(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LATE
}

function failureOf(append: WaitingAppend, error: unknown): Error {
  if (error instanceof StoreUnavailable) return error
  if (isLate(error)) return new StoreUnavailable('the event store took up the append after its deadline', error)
  if (!isRefusal(error)) return new AppendOutcomeUnknown(append.stream, error)
  // Only classes 22 and 23 concern the data. In other cases, such as a read-only database, the append may succeed later.
  if (/^2[23]/.test(error.code ?? '')) {
    return new EventRefused(`the event store refused the append to ${append.stream}: ${error.message}`)
  }
  return new StoreUnavailable(`the event store refused the append: ${error.message}`, error)
}
