import type { NewEvent, RecordedEvent } from '../../../contracts/envelope.ts'
import type { Position } from '../../../contracts/position.ts'
import type { Clock } from '../../clock/clock.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { encodeAppend } from '../eventGuard.ts'
import { followTail } from '../followTail.ts'
import type {
  AppendResult,
  BulkEvents,
  EventBatch,
  EventStore,
  ExpectedRevision,
  ForeignEvent,
  MayBeSent,
  ReadAllOptions,
  ReadStreamOptions,
  SubscribeOptions,
} from '../port.ts'
import { READ_PAGE_EVENTS_MAX } from '../storeLimits.ts'
import { eventsOf, ownEvents, type StoredColumns, storedColumns } from './batchColumns.ts'
import { BatchWriter, type OnStored } from './batchWriter.ts'
import { PostgresBulkEvents } from './bulkEvents.ts'
import { CommitNotices } from './commitNotices.ts'
import { EVENT_COLUMNS, type EventPage, type EventRow, readAfter, readCategories, recordedEvent } from './eventPages.ts'
import { COMMITS_AT_ONCE, GroupCommit, type Settle, type WaitingAppend } from './groupCommit.ts'
import { LiveTail } from './liveTail.ts'
import { numberOf, positionOf } from './positionNumber.ts'
import { STORED_BATCHES_INTERVAL_MS, StoredBatchBroadcast } from './storedBatchBroadcast.ts'

/** How long a notified thread waits for the broadcast of another thread before it reads the events. */
const BROADCAST_WAIT_MS = STORED_BATCHES_INTERVAL_MS + 15

const NOTIFY = "select pg_notify('event_store', $1)"

const FIRST_PAGE_EVENTS = 50
const PAGE_GROWTH = 4

export type PostgresEventStoreOptions = {
  readonly appendTimeoutMs?: number
  /** Other threads of this process have the same store open: they exchange the batches that they store. */
  readonly sharedByThreads?: boolean
}

/** The embedded default: append-only tables, filled by `append_batch` and `append_one` of migration 0020. */
export class PostgresEventStore implements EventStore {
  readonly idsAreUnique = true
  readonly bulk: BulkEvents
  readonly #database: PostgresDatabase
  /** The idle connections. */
  readonly #writers: BatchWriter[]
  readonly #appends: GroupCommit
  readonly #tail: LiveTail
  readonly #broadcast: StoredBatchBroadcast | null
  readonly #notices: CommitNotices
  readonly #closing = new AbortController()

  constructor(database: PostgresDatabase, clock: Clock, options: PostgresEventStoreOptions = {}) {
    this.#database = database
    this.bulk = new PostgresBulkEvents(database)
    const onStored: OnStored = (batch, columns, at) => {
      // After the callers, which have answers to send.
      setImmediate(() => {
        this.#tail.offer(at.position, columns.data.length, () => ownEvents(batch, columns, at))
        this.#broadcast?.publish(storedColumns(columns, at))
        this.#notices.stored(at.position + columns.ids.length)
      })
    }
    this.#notices = new CommitNotices((position) => database.query(NOTIFY, [String(position)], 'notify'), clock)
    this.#writers = Array.from(
      { length: COMMITS_AT_ONCE },
      () => new BatchWriter(database.connecting, onStored, clock, options.appendTimeoutMs),
    )
    this.#appends = new GroupCommit((batch) => this.#send(batch))
    this.#tail = new LiveTail({
      connecting: database.connecting,
      readAfter: (position, limit) => this.#readAfter(position, limit),
      clock,
      gatherMsMin: options.sharedByThreads ? BROADCAST_WAIT_MS : 0,
    })
    const onReceived = (stored: StoredColumns) =>
      this.#tail.offer(stored.position, stored.data.length, () => eventsOf(stored))
    this.#broadcast = options.sharedByThreads ? new StoredBatchBroadcast(database.url, clock, onReceived) : null
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    mayBeSent?: MayBeSent,
  ): Promise<AppendResult> {
    return this.#appends.append(stream, expected, encodeAppend(stream, events), mayBeSent)
  }

  async *readStream(stream: string, options: ReadStreamOptions = {}): AsyncIterable<RecordedEvent> {
    const backwards = options.direction === 'backwards'
    const page = `select ${EVENT_COLUMNS} from event_store.events
      where stream_no = (select stream_no from event_store.streams where stream = $1)
        and ${backwards ? 'revision <= $2 order by revision desc' : 'revision >= $2 order by revision'} limit $3`
    const read = (from: number, limit: number) => this.#database.query<EventRow>(page, [stream, from, limit])
    let from = options.from ?? (backwards ? Number.MAX_SAFE_INTEGER : 0)
    let left = options.limit ?? Number.POSITIVE_INFINITY
    let ahead: Promise<EventRow[]> | null = null
    // Pages grow, because most reads are of a short stream or of the end of a long one.
    for (let size = FIRST_PAGE_EVENTS; left > 0 && from >= 0; size *= PAGE_GROWTH) {
      const limit = Math.min(left, size, READ_PAGE_EVENTS_MAX)
      const rows: EventRow[] = await (ahead ?? read(from, limit))
      const last = rows.at(-1)
      if (last) from = Number(last.revision) + (backwards ? -1 : 1)
      left -= rows.length
      const hasMore = rows.length === limit && left > 0 && from >= 0
      // A full page belongs to a long stream: the database reads the next one while the caller works on this one.
      ahead = hasMore && size >= READ_PAGE_EVENTS_MAX ? read(from, Math.min(left, READ_PAGE_EVENTS_MAX)) : null
      // A reader may stop before it asks for that page.
      ahead?.catch(() => {})
      for (const row of rows) yield recordedEvent(row)
      if (!hasMore) return
    }
  }

  /** Nothing else writes to its tables. */
  async *foreignEvents(): AsyncIterable<ForeignEvent> {}

  async readAll({ after, categories, limit }: ReadAllOptions): Promise<EventBatch> {
    if (categories) return readCategories(this.#database, categories, numberOf(after), limit)
    const { events } = await this.#readAfter(numberOf(after), limit)
    return { events, position: events.at(-1)?.position ?? after }
  }

  subscribe(options: SubscribeOptions): AsyncIterable<EventBatch> {
    const { categories } = options
    const readPage = (after: Position) =>
      this.readAll({ after, ...(categories && { categories }), limit: READ_PAGE_EVENTS_MAX })
    const signal = AbortSignal.any([options.signal, this.#closing.signal])
    return followTail(this.#tail, readPage, { ...options, signal })
  }

  async head(): Promise<Position> {
    const [row] = await this.#database.query<{ position: string }>('select position from event_store.counter')
    return positionOf(Number(row?.position ?? 0))
  }

  parsePosition(text: string): Position | null {
    return /^\d{1,16}$/.test(text) ? positionOf(Number(text)) : null
  }

  async eventsAfter(position: Position): Promise<number> {
    return numberOf(await this.head()) - numberOf(position)
  }

  /** Finishes the running appends and ends the subscriptions. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#appends.close()
    // The work after a commit runs one turn later.
    await new Promise(setImmediate)
    this.#broadcast?.close()
    await Promise.all([this.#notices.close(), ...this.#writers.map((writer) => writer.close()), this.#tail.close()])
  }

  async #send(batch: readonly WaitingAppend[]): Promise<Settle> {
    const writer = this.#writers.pop()
    if (!writer) throw new Error(`more than ${COMMITS_AT_ONCE} commits at once`)
    const settle = await writer.send(batch)
    this.#writers.push(writer)
    return settle
  }

  #readAfter(position: number, limit: number): Promise<EventPage> {
    return readAfter(this.#database, position, limit)
  }
}
