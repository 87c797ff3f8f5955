import type streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import { BEGINNING, type Position } from '../../../../contracts/position.ts'
import type { Clock } from '../../clock/clock.ts'
import { within } from '../../clock/within.ts'
import { type ReadStreamOptions, StoreUnavailable } from '../port.ts'
import { READ_PAGE_BYTES_MAX } from '../storeLimits.ts'
import { checkpointOf, later } from './commitPosition.ts'
import { PulledStream } from './pulledStream.ts'
import { type ReadMessage, readMessage } from './readMessage.ts'
import { allRequest, newestRequest, streamRequest, subscriptionRequest } from './readRequest.ts'
import type { StoreConnections } from './storeConnections.ts'
import { type StoredEvent, storedEvent } from './storedEvent.ts'
import { failureText } from './storeFailure.ts'

/** The longest wait for the next message of a read. */
const STORE_READ_TIMEOUT_MS = 10_000
/** Messages of one call that wait to be read. */
export const STORE_BUFFER_MESSAGES_MAX = 250
/** A page of rare events ends after this time with what was found, so that its reader makes progress. */
const FILTERED_PAGE_MS = 1_000

export type StoredPage = {
  readonly events: readonly StoredEvent[]
  /** The position that a reader reaches with the page. */
  readonly position: Position
  /** A limit ended the page, so there may be more. */
  readonly isFull: boolean
}

/** Reads with a time-out on every wait, because gRPC has none. */
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
    const { direction, from, limit } = options
    if (limit === 0 || (from !== undefined && from < 0 && direction === 'backwards')) return
    for await (const messages of this.#messages(streamRequest(stream, options))) {
      for (const message of messages) {
        if (message.kind === 'streamNotFound') return
        if (message.kind === 'event') yield storedEvent(message.event, message.bytes)
      }
    }
  }

  /** Events of all streams after the position, including system events, up to the size of a page. */
  async after(position: Position, limit: number, signal?: AbortSignal): Promise<StoredPage> {
    // The server starts with the event at the position itself.
    const request = allRequest(position, position === BEGINNING ? limit : limit + 1)
    const page = new PageInProgress(position, limit)
    for await (const messages of this.#messages(request, signal)) {
      for (const message of messages) if (message.kind === 'event' && page.add(message)) return page.full()
    }
    return page.ended(page.reached)
  }

  /**
   * Events after the position of streams with one of the prefixes. The server filters, in a subscription, which reports
   * how far it has got: a filtered read would be silent for as long as it finds nothing.
   */
  async filteredAfter(
    position: Position,
    prefixes: readonly string[],
    limit: number,
    signal?: AbortSignal,
  ): Promise<StoredPage> {
    const head = (await this.newest())?.position ?? BEGINNING
    const page = new PageInProgress(position, limit)
    if (head <= position) return page.ended(position)
    const endsAt = this.#clock.monotonicMs() + FILTERED_PAGE_MS
    for await (const messages of this.#messages(subscriptionRequest(position, prefixes), signal)) {
      for (const message of messages) {
        if (message.kind === 'event' && page.add(message)) return page.full()
        if (message.kind === 'checkpoint') page.pass(message.commit)
        if (message.kind === 'caughtUp') return page.ended(later(head, page.reached))
      }
      if (page.reached >= head) return page.ended(page.reached)
      if (page.reached > position && this.#clock.monotonicMs() >= endsAt) return page.full()
    }
    throw new StoreUnavailable('reading from the event store failed: it ended a subscription')
  }

  async newest(): Promise<StoredEvent | null> {
    for await (const messages of this.#messages(newestRequest())) {
      for (const message of messages) if (message.kind === 'event') return storedEvent(message.event, message.bytes)
    }
    return null
  }

  /** In the batches in which they arrive, because a promise for each event would cost more than decoding it. */
  async *#messages(request: streamsPb.ReadReq, signal?: AbortSignal): AsyncIterable<ReadMessage[]> {
    const client = this.#connections.reading
    const pulled = new PulledStream<Buffer>(client.openRead(request), STORE_BUFFER_MESSAGES_MAX)
    let isAbandoned = true
    try {
      while (!pulled.ended) {
        const received = pulled.take(STORE_BUFFER_MESSAGES_MAX)
        if (received.length > 0) yield received.map(readMessage)
        else await within(pulled.more(), this.#timeoutMs, this.#clock, signal)
      }
      isAbandoned = false
    } catch (error) {
      if (!signal?.aborted) this.#connections.failed(client)
      throw new StoreUnavailable(`reading from the event store failed: ${failureText(error)}`, error)
    } finally {
      if (isAbandoned) pulled.cancel()
    }
  }
}

/** Collects events until a page is full. */
class PageInProgress {
  readonly #limit: number
  readonly #events: StoredEvent[] = []
  #bytes = 0
  reached: Position

  constructor(after: Position, limit: number) {
    this.reached = after
    this.#limit = limit
  }

  /** True if the page is full with this event. */
  add({ event, bytes }: Extract<ReadMessage, { kind: 'event' }>): boolean {
    const stored = storedEvent(event, bytes)
    if (stored.position <= this.reached) return false
    this.#events.push(stored)
    this.#bytes += bytes
    this.reached = stored.position
    return this.#events.length === this.#limit || this.#bytes >= READ_PAGE_BYTES_MAX
  }

  pass(commit: number): void {
    this.reached = later(this.reached, checkpointOf(commit) ?? this.reached)
  }

  full(): StoredPage {
    return { events: this.#events, position: this.reached, isFull: true }
  }

  ended(position: Position): StoredPage {
    return { events: this.#events, position, isFull: false }
  }
}
