import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  FORWARDS,
  type ResolvedEvent,
  START,
  type StreamingRead,
  StreamNotFoundError,
} from '@eventstore/db-client'
import { BEGINNING, type Position } from '../../../../contracts/position.ts'
import type { Clock } from '../../clock/clock.ts'
import { within } from '../../clock/within.ts'
import { type ReadStreamOptions, StoreUnavailable } from '../port.ts'
import { READ_PAGE_BYTES_MAX, READ_PAGE_EVENTS_MAX } from '../storeLimits.ts'
import { commitOf } from './commitPosition.ts'
import { PulledStream } from './pulledStream.ts'
import type { StoreClient } from './storeClient.ts'
import type { StoreConnections } from './storeConnections.ts'
import { type StoredEvent, storedEvent } from './storedEvent.ts'

/** The longest wait for the next event of a read. */
const STORE_READ_TIMEOUT_MS = 10_000
/** Events that the client reads ahead. */
const STORE_BUFFER_EVENTS_MAX = 250

export const BUFFER = { highWaterMark: STORE_BUFFER_EVENTS_MAX }

export type StoredPage = {
  readonly events: readonly StoredEvent[]
  /** A limit ended the page, so there may be more. */
  readonly isFull: boolean
}

/** Reads with a time-out on every wait, because the client has none. */
export class StoreReader {
  readonly #connections: StoreConnections
  readonly #clock: Clock
  readonly #timeoutMs: number

  constructor(connections: StoreConnections, clock: Clock, timeoutMs: number = STORE_READ_TIMEOUT_MS) {
    this.#connections = connections
    this.#clock = clock
    this.#timeoutMs = timeoutMs
  }

  async *stream(stream: string, options: ReadStreamOptions = {}): AsyncIterable<StoredEvent> {
    const { direction = 'forwards', from, limit } = options
    if (limit === 0 || (from !== undefined && from < 0 && direction === 'backwards')) return
    const backwards = direction === 'backwards'
    const client = this.#connections.reading
    const read = client.events.readStream(
      stream,
      {
        direction: backwards ? BACKWARDS : FORWARDS,
        fromRevision: from === undefined ? (backwards ? END : START) : BigInt(Math.max(0, from)),
        ...(limit !== undefined && { maxCount: limit }),
      },
      BUFFER,
    )
    yield* this.#events(client, read)
  }

  /** Events of all streams after the position, including system events, up to the size of a page. */
  async after(position: Position, limit: number, signal?: AbortSignal): Promise<StoredPage> {
    const fromStart = position === BEGINNING
    const commit = fromStart ? 0n : commitOf(position)
    // The server starts with the event at the position itself.
    const client = this.#connections.reading
    const read = client.events.readAll(
      { fromPosition: fromStart ? START : { commit, prepare: commit }, maxCount: fromStart ? limit : limit + 1 },
      BUFFER,
    )
    const events: StoredEvent[] = []
    let begin: bigint | null = null
    for await (const event of this.#events(client, read, signal)) {
      if (event.position <= position) continue
      events.push(event)
      const at = commitOf(event.position)
      begin ??= at
      if (events.length === limit || at - begin >= READ_PAGE_BYTES_MAX) return { events, isFull: true }
    }
    return { events, isFull: false }
  }

  async newest(): Promise<StoredEvent | null> {
    const client = this.#connections.reading
    const read = client.events.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 })
    for await (const event of this.#events(client, read)) return event
    return null
  }

  async *#events(
    client: StoreClient,
    read: StreamingRead<ResolvedEvent> | StreamingRead<AllStreamResolvedEvent>,
    signal?: AbortSignal,
  ): AsyncIterable<StoredEvent> {
    const pulled = new PulledStream<ResolvedEvent>(read)
    try {
      while (!pulled.ended) {
        for (const resolved of pulled.take(READ_PAGE_EVENTS_MAX)) yield storedEvent(resolved)
        await within(pulled.more(), this.#timeoutMs, this.#clock, signal)
      }
      // The requests of a closed client are canceled, which ends them as if everything had been read.
      if (client.isClosed) throw new Error('the connection was closed')
    } catch (error) {
      if (error instanceof StreamNotFoundError) return
      if (!signal?.aborted) this.#connections.failed(client)
      throw new StoreUnavailable(`reading from the event store failed: ${(error as Error).message}`, error)
    } finally {
      read.cancel().catch(() => {})
    }
  }
}
