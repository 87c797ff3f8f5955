import type streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import { BEGINNING, type Position } from '../../../../contracts/position.ts'
import type { Clock } from '../../../clock/clock.ts'
import { within } from '../../../clock/within.ts'
import { type ReadStreamOptions, StoreUnavailable } from '../../port.ts'
import { READ_PAGE_BYTES_MAX, READ_PAGE_EVENTS_MAX } from '../../storeLimits.ts'
import { checkpointOf, commitOf, later } from '../commitPosition.ts'
import { PulledStream } from '../connection/pulledStream.ts'
import type { StoreConnections } from '../connection/storeConnections.ts'
import { failureText } from '../storeFailure.ts'
import { HeadSearch } from './headSearch.ts'
import { type ReadMessage, readMessage } from './readMessage.ts'
import { filteredRequest, newestRequest, streamRequest, subscriptionRequest } from './readRequest.ts'
import { positionOfSent, type StoredEvent, type StoredEvents, type StoredPage } from './storedEvent.ts'

/** The longest wait for the next message of a read. */
const STORE_READ_TIMEOUT_MS = 10_000
/** The longest search for our newest event, which may lie far before what others have written. */
const SEARCH_TIMEOUT_MS = 120_000
/** The server searches this much of the log in a moment. */
const READ_RANGE_BYTES_MAX = 16n * 1024n * 1024n
/** Messages of one call that wait to be read. */
export const STORE_BUFFER_MESSAGES_MAX = 250
/** A page of rare events ends after this time with whatever was found, so that its reader makes progress. */
const FILTERED_PAGE_MS = 1_000

export type PageOptions = {
  readonly categories?: readonly string[] | undefined
  readonly limit: number
  readonly signal?: AbortSignal | undefined
}

/** Reads with a time-out on every wait, because gRPC has none. */
export class StoreReader {
  readonly #connections: StoreConnections
  readonly #stored: StoredEvents
  readonly #clock: Clock
  readonly #timeoutMs: number
  readonly #head = new HeadSearch({
    logEnd: () => this.logEnd(),
    newestOfOurs: () => this.#newestOfOurs(),
    pageOfOurs: (after, end) =>
      this.#pageUpTo(end, new PageInProgress(after, READ_PAGE_EVENTS_MAX), this.#stored.streams.prefixesOf()),
  })

  constructor(
    connections: StoreConnections,
    stored: StoredEvents,
    clock: Clock,
    timeoutMs: number = STORE_READ_TIMEOUT_MS,
  ) {
    this.#connections = connections
    this.#stored = stored
    this.#clock = clock
    this.#timeoutMs = timeoutMs
  }

  async *stream(stream: string, options: ReadStreamOptions = {}): AsyncIterable<StoredEvent> {
    const { direction, from, limit } = options
    if (limit === 0 || (from !== undefined && from < 0 && direction === 'backwards')) return
    for await (const messages of this.#messages(streamRequest(this.#stored.streams.nameOnServer(stream), options))) {
      for (const message of messages) {
        if (message.kind === 'streamNotFound') return
        if (message.kind === 'event') yield this.#stored.read(message.event, message.bytes)
      }
    }
  }

  /**
   * Events of our streams after the position, of some or all categories. The server filters them. A page that reaches
   * the end has the position of our newest event, whatever others write after it.
   */
  async after(position: Position, options: PageOptions): Promise<StoredPage> {
    const head = await this.head()
    if (head <= position) return new PageInProgress(position, options.limit).ended(position)
    return this.upTo(head, position, options)
  }

  /** The same for a reader that knows how far to read. A page that reaches that end has its position. */
  upTo(end: Position, after: Position, { categories, limit, signal }: PageOptions): Promise<StoredPage> {
    const prefixes = this.#stored.streams.prefixesOf(categories)
    return this.#pageUpTo(end, new PageInProgress(after, limit), prefixes, signal)
  }

  /** The position of our newest event, or BEGINNING. */
  head(): Promise<Position> {
    return this.#head.find()
  }

  /** The position of the newest event of any application, or BEGINNING. */
  async logEnd(): Promise<Position> {
    for await (const messages of this.#messages(newestRequest())) {
      for (const message of messages) if (message.kind === 'event') return positionOfSent(message.event)
    }
    return BEGINNING
  }

  async #newestOfOurs(): Promise<Position> {
    const request = newestRequest(this.#stored.streams.prefixesOf())
    for await (const messages of this.#messages(request, { timeoutMs: SEARCH_TIMEOUT_MS })) {
      for (const message of messages) {
        const stored = message.kind === 'event' ? this.#stored.read(message.event, message.bytes) : null
        if (stored?.recorded) return stored.position
      }
    }
    return BEGINNING
  }

  /** A filtered read is silent while it finds nothing; a subscription reports how far it has got. */
  async #pageUpTo(
    end: Position,
    page: PageInProgress,
    prefixes: readonly string[],
    signal?: AbortSignal,
  ): Promise<StoredPage> {
    const start = page.reached
    if (bytesBetween(start, end) <= READ_RANGE_BYTES_MAX) {
      // The server starts with the event at the position itself.
      const request = filteredRequest(start, prefixes, page.limit + 1)
      for await (const messages of this.#messages(request, { signal })) {
        for (const message of messages) {
          if (message.kind === 'event' && page.add(this.#stored.read(message.event, message.bytes))) return page.full()
        }
      }
      return page.ended(later(end, page.reached))
    }
    const endsAt = this.#clock.monotonicMs() + FILTERED_PAGE_MS
    for await (const messages of this.#messages(subscriptionRequest(start, prefixes), { signal })) {
      for (const message of messages) {
        if (message.kind === 'event' && page.add(this.#stored.read(message.event, message.bytes))) return page.full()
        if (message.kind === 'checkpoint') page.pass(message.commit)
        if (message.kind === 'caughtUp') return page.ended(later(end, page.reached))
      }
      if (page.reached >= end) return page.ended(page.reached)
      if (page.reached > start && this.#clock.monotonicMs() >= endsAt) return page.full()
    }
    throw new StoreUnavailable('reading from the event store failed: it ended a subscription')
  }

  /** In the batches in which they arrive, because a promise per event would cost more than decoding it. */
  async *#messages(
    request: streamsPb.ReadReq,
    { timeoutMs = this.#timeoutMs, signal }: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
  ): AsyncIterable<ReadMessage[]> {
    const client = this.#connections.reading
    const pulled = new PulledStream<Buffer>(client.openRead(request), STORE_BUFFER_MESSAGES_MAX)
    let isAbandoned = true
    try {
      while (!pulled.ended) {
        const received = pulled.take(STORE_BUFFER_MESSAGES_MAX)
        if (received.length > 0) yield received.map(readMessage)
        else await within(pulled.more(), timeoutMs, this.#clock, signal)
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

function bytesBetween(start: Position, end: Position): bigint {
  return commitOf(end) - (start === BEGINNING ? 0n : commitOf(start))
}

/** Collects events until a page is full. */
class PageInProgress {
  readonly limit: number
  readonly #events: StoredEvent[] = []
  #bytes = 0
  reached: Position

  constructor(after: Position, limit: number) {
    this.reached = after
    this.limit = limit
  }

  /** True if this event fills the page. */
  add(stored: StoredEvent): boolean {
    // Other streams' names may begin like ours, but their events do not count towards a page.
    const isInOurStreams = stored.recorded !== null || stored.foreign !== null
    if (stored.position <= this.reached || !isInOurStreams) return false
    this.#events.push(stored)
    this.#bytes += stored.bytes
    this.reached = stored.position
    return this.#events.length === this.limit || this.#bytes >= READ_PAGE_BYTES_MAX
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
