import pg from 'pg'
import { AppendOutcomeUnknown, EventRefused, StoreUnavailable, WrongExpectedRevision } from '../port.ts'
import { APPEND_TIMEOUT_MS } from '../storeLimits.ts'
import { type BatchColumns, columnsOf, expectedNumber, parametersOf, type StoredAt } from './batchColumns.ts'
import { dropConnection } from './dropConnection.ts'
import type { Settle, WaitingAppend } from './groupCommit.ts'
import { positionOf } from './position.ts'

/** What append_batch of migration 0001 answers: all stored behind these positions and revisions, or each its own way. */
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

const SEND = 'select event_store.append_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as answer'

/** Told of every batch that was stored whole. */
export type OnStored = (batch: readonly WaitingAppend[], columns: BatchColumns, at: StoredAt) => void

/** One connection that writes batches of appends. After a failure the next batch opens a new one. */
export class BatchWriter {
  readonly #url: string
  readonly #onStored: OnStored
  readonly #timeoutMs: number
  #client: pg.Client | null = null

  constructor(url: string, onStored: OnStored, timeoutMs: number = APPEND_TIMEOUT_MS) {
    this.#url = url
    this.#onStored = onStored
    this.#timeoutMs = timeoutMs
  }

  async send(batch: readonly WaitingAppend[]): Promise<Settle> {
    try {
      const columns = columnsOf(batch)
      const answer = await this.#write(parametersOf(columns))
      return () => {
        if ('outcomes' in answer) return settleEach(batch, answer.outcomes)
        const at = storedAt(answer)
        this.#onStored(batch, columns, at)
        settleWhole(batch, columns, at)
      }
    } catch (error) {
      // The database refused the whole transaction, so none of it is stored: send each alone to find out whose fault it was.
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
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => {})
  }

  async #write(values: unknown[]): Promise<BatchAnswer> {
    const client = await this.#connected()
    const query = client.query<{ answer: BatchAnswer }>({ name: 'append', text: SEND, values })
    const timer = setTimeout(() => this.#abandon(client), this.#timeoutMs)
    try {
      const [row] = (await query).rows
      if (!row) throw new Error('append_batch answered nothing')
      return row.answer
    } catch (error) {
      if (!isRefusal(error)) this.#abandon(client)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client) return this.#client
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'tollgate appends',
      connectionTimeoutMillis: APPEND_TIMEOUT_MS,
    })
    client.on('error', () => this.#abandon(client))
    try {
      await client.connect()
      // The session keeps its plans, instead of making half of them anew for each batch; one made while the tables were
      // small must not scan them when they are large.
      await client.query('set plan_cache_mode to force_generic_plan; set enable_seqscan to off')
    } catch (error) {
      dropConnection(client)
      throw new StoreUnavailable('the event store cannot be reached', error)
    }
    this.#client = client
    return client
  }

  /** A query that waits on the connection fails, its outcome unknown. */
  #abandon(client: pg.Client): void {
    // A broken connection may tell so more than once, and the next one may be open by then.
    if (this.#client === client) this.#client = null
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
      new EventRefused(`${outcome.stored} of the event ids are stored in ${stream} already, the others are not`),
    )
  } else {
    append.reject(new WrongExpectedRevision(stream, expected, outcome.current === -1 ? null : outcome.current))
  }
}

/**
 * The server answered that it rolled the statement back. Class 57 (the server is shutting down, the session was
 * terminated) and 08 (connection trouble) are left out: those can hide a commit.
 */
function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^(?:2[0-9]|4[02]|5[345]|XX|P0)/.test(error.code ?? '')
}

function failureOf(append: WaitingAppend, error: unknown): Error {
  if (error instanceof StoreUnavailable) return error
  if (!isRefusal(error)) return new AppendOutcomeUnknown(append.stream, error)
  // Only these two classes are about the data; a database that became read-only, say, takes the same append later.
  if (/^2[23]/.test(error.code ?? '')) {
    return new EventRefused(`the event store refused the append to ${append.stream}: ${error.message}`)
  }
  return new StoreUnavailable(`the event store refused the append: ${error.message}`, error)
}
