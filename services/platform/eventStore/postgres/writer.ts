import pg from 'pg'
import { LIMITS } from '../../../../contracts/limits.ts'
import {
  AppendOutcomeUnknown,
  EventRefused,
  type ExpectedRevision,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../port.ts'
import type { WaitingAppend } from './groupCommit.ts'
import { positionOf } from './position.ts'

type OutcomeRow = {
  append_no: number
  current_revision: string
  accepted: boolean
  last_revision: string | null
  last_position: string | null
  stored_before: string
  first_stored_before: string | null
}

const DEADLOCK = '40P01'
const SERIALIZATION_FAILURE = '40001'
const SEND = 'select * from event_store.append_batch($1, $2)'

/** One connection that writes batches of appends. After a failure the next batch opens a new one. */
export class BatchWriter {
  readonly #url: string
  readonly #timeoutMs: number
  #client: Promise<pg.Client> | null = null

  constructor(url: string, timeoutMs: number = LIMITS.appendTimeoutMs) {
    this.#url = url
    this.#timeoutMs = timeoutMs
  }

  async send(batch: readonly WaitingAppend[]): Promise<void> {
    try {
      const rows = await this.#write(batch)
      for (const row of rows) {
        const append = batch[row.append_no]
        if (append) settle(append, row)
      }
    } catch (error) {
      // The database refused the whole transaction, so none of it is stored: send each alone to find out whose fault it was.
      if (isRefusal(error) && batch.length > 1) {
        for (const append of batch) await this.send([append])
        return
      }
      for (const append of batch) append.reject(failureOf(append, error))
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => null)
    this.#client = null
    await client?.end().catch(() => {})
  }

  async #write(batch: readonly WaitingAppend[]): Promise<OutcomeRow[]> {
    const client = await this.#connected()
    const streams = [...new Set(batch.map((append) => append.stream))].sort()
    const query = client.query<OutcomeRow>({ name: 'append', text: SEND, values: [streams, encodeBatch(batch)] })
    const timer = setTimeout(() => this.#abandon(client), this.#timeoutMs)
    try {
      return (await query).rows
    } catch (error) {
      if (!isRefusal(error)) this.#abandon(client)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect()
    return this.#client
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'tollgate appends',
      connectionTimeoutMillis: this.#timeoutMs,
    })
    client.on('error', () => this.#abandon(client))
    try {
      await client.connect()
    } catch (error) {
      this.#client = null
      throw new StoreUnavailable('the event store cannot be reached', error)
    }
    return client
  }

  /** Drops the connection at once; a query that waits on it fails, its outcome unknown. */
  #abandon(client: pg.Client): void {
    this.#client = null
    ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  }
}

/** Written by hand around data and metadata that are JSON already, so that nothing is encoded twice. */
function encodeBatch(batch: readonly WaitingAppend[]): string {
  const parts: string[] = []
  batch.forEach((append, appendNo) => {
    const head = `{"append_no":${appendNo},"stream":${JSON.stringify(append.stream)},"expected":${expectedNumber(append.expected)},"ord":`
    for (const event of append.events) {
      parts.push(
        `${head}${parts.length},"id":"${event.id}","type":"${event.type}","data":${event.data},"metadata":${event.metadata}}`,
      )
    }
  })
  return `[${parts.join(',')}]`
}

function expectedNumber(expected: ExpectedRevision): number {
  if (expected === 'any') return -2
  return expected === 'none' ? -1 : expected
}

function settle(append: WaitingAppend, row: OutcomeRow): void {
  const storedBefore = Number(row.stored_before)
  if (row.accepted) {
    append.resolve({
      revision: Number(row.last_revision),
      position: positionOf(Number(row.last_position)),
      repeated: false,
    })
  } else if (storedBefore === append.events.length && startsWhereExpected(append.expected, row)) {
    append.resolve({
      revision: Number(row.last_revision),
      position: positionOf(Number(row.last_position)),
      repeated: true,
    })
  } else if (storedBefore > 0 && storedBefore < append.events.length) {
    append.reject(
      new EventRefused(`${storedBefore} of the event ids are stored in ${append.stream} already, the others are not`),
    )
  } else {
    const current = Number(row.current_revision)
    append.reject(new WrongExpectedRevision(append.stream, append.expected, current === -1 ? null : current))
  }
}

function startsWhereExpected(expected: ExpectedRevision, row: OutcomeRow): boolean {
  return expected === 'any' || Number(row.first_stored_before) === expectedNumber(expected) + 1
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
  if (error.code === DEADLOCK || error.code === SERIALIZATION_FAILURE || !error.code?.startsWith('2')) {
    return new StoreUnavailable(`the event store refused the append: ${error.message}`, error)
  }
  return new EventRefused(`the event store refused the append to ${append.stream}: ${error.message}`)
}
