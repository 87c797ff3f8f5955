import type { NewEvent, RecordedEvent } from '../../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import { type Clock, systemClock } from '../../clock/clock.ts'
import { within } from '../../clock/within.ts'
import type { Ids } from '../../ids/ids.ts'
import type { Log } from '../../logger/logger.ts'
import { type EncodedEvent, encodeAppend } from '../eventGuard.ts'
import { followTail } from '../followTail.ts'
import {
  AppendOutcomeUnknown,
  type AppendResult,
  type EventBatch,
  type EventStore,
  type ExpectedRevision,
  type ForeignEvent,
  type MayBeSent,
  type ReadAllOptions,
  type ReadStreamOptions,
  StoreUnavailable,
  type SubscribeOptions,
  WrongExpectedRevision,
} from '../port.ts'
import { APPEND_TIMEOUT_MS, READ_PAGE_EVENTS_MAX } from '../storeLimits.ts'
import { APPENDS_UNANSWERED_MAX, type Appended, BatchAppends, type RealTime } from './appends/batchAppends.ts'
import { RepeatingAppends } from './appends/repeatingAppends.ts'
import { SentEvents } from './appends/sentEvents.ts'
import { commitOf, later, parsePosition } from './commitPosition.ts'
import { StoreConnections } from './connection/storeConnections.ts'
import { behindForeignEvents } from './reads/behindForeignEvents.ts'
import { ForeignEvents } from './reads/foreignEvents.ts'
import { OwnStreams } from './reads/ownStreams.ts'
import { RecentPositions } from './reads/recentPositions.ts'
import { type StoredEvent, StoredEvents } from './reads/storedEvent.ts'
import { StoreReader } from './reads/storeReader.ts'
import { RESUBSCRIBE_MS, SubscribedTail } from './reads/subscribedTail.ts'

export type EventStoreDbOptions = {
  readonly clock: Clock
  /** The system's clock by default. */
  readonly realTime?: RealTime
  readonly ids: Ids
  readonly log: Log
  /** The prefix of every stream on the server. */
  readonly prefix: string
  /** Called once for each foreign event in our streams that this process has read. */
  readonly onForeignEvent?: (event: ForeignEvent) => void
  /** The time from sending an append to its result. */
  readonly appendTimeoutMs?: number
}

/** More than can be under way at once, so anything answered before an append was sent is remembered. */
const APPENDS_REMEMBERED_MAX = 2 * APPENDS_UNANSWERED_MAX

/**
 * The production event store. The server guarantees that event ids make an append idempotent at an expected revision;
 * with "any" it only does so for a while (see pursuit.ts).
 */
export function openEventStoreDb(url: string, options: EventStoreDbOptions): EventStore {
  return new EventStoreDb(url, options)
}

class EventStoreDb implements EventStore {
  readonly idsAreUnique = false
  readonly #options: EventStoreDbOptions
  readonly #connections: StoreConnections
  readonly #reader: StoreReader
  readonly #batches: BatchAppends
  readonly #appends: RepeatingAppends
  readonly #tail: SubscribedTail
  readonly #closing = new AbortController()
  readonly #underWay = new Set<Promise<AppendResult>>()
  /** The highest position that this process has seen in any result. */
  #highestSeen: Position | null = null
  /** The positions of the latest results of appends. Results do not arrive in the order of positions. */
  readonly #appended = new RecentPositions(APPENDS_REMEMBERED_MAX)
  #readingEnd: Promise<Position> | null = null

  constructor(url: string, options: EventStoreDbOptions) {
    this.#options = options
    this.#connections = new StoreConnections(url, options.clock)
    const streams = new OwnStreams(options.prefix)
    const sent = new SentEvents()
    const stored = new StoredEvents(streams, new ForeignEvents(options), sent)
    this.#reader = new StoreReader(this.#connections, stored, options.clock)
    const { clock, log, realTime = systemClock, ids, appendTimeoutMs = APPEND_TIMEOUT_MS } = options
    this.#batches = new BatchAppends(this.#connections, { clock, realTime, answerMs: appendTimeoutMs, sent })
    const reader = this.#reader
    const repeating = { reader, streams, clock, ids, appendMs: appendTimeoutMs }
    this.#appends = new RepeatingAppends({ appends: this.#batches, ...repeating })
    this.#tail = new SubscribedTail({ connect: () => this.#connections.another(), reader, stored, clock, log })
  }

  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    mayBeSent?: MayBeSent,
  ): Promise<AppendResult> {
    const append = this.#append(stream, expected, events, mayBeSent)
    this.#underWay.add(append)
    const done = () => this.#underWay.delete(append)
    append.then(done, done)
    return append
  }

  async *readStream(stream: string, options: ReadStreamOptions = {}): AsyncIterable<RecordedEvent> {
    for await (const { recorded } of this.#reader.stream(stream, options)) if (recorded) yield recorded
  }

  async *foreignEvents(stream: string): AsyncIterable<ForeignEvent> {
    for await (const { foreign } of this.#reader.stream(stream)) if (foreign) yield foreign
  }

  async readAll({ after, categories, limit }: ReadAllOptions): Promise<EventBatch> {
    const batch = await this.#page(after, categories, limit)
    this.#seen(batch.position)
    return batch
  }

  async *subscribe(options: SubscribeOptions): AsyncIterable<EventBatch> {
    const { clock, log } = this.#options
    const { categories } = options
    const signal = AbortSignal.any([options.signal, this.#closing.signal])
    const readPage = (after: Position) => this.#page(after, categories, READ_PAGE_EVENTS_MAX, signal)
    let position = options.after
    let isBroken = false
    while (!signal.aborted) {
      try {
        for await (const batch of followTail(this.#tail, readPage, { ...options, after: position, signal })) {
          position = batch.position
          isBroken = false
          this.#seen(position)
          yield batch
        }
      } catch (error) {
        if (signal.aborted) return
        // One warning per outage, however many attempts it takes.
        const level = isBroken ? 'debug' : 'warn'
        isBroken = true
        log[level]({ err: error, categories }, 'reading of new events failed, reading again')
        await clock.delay(RESUBSCRIBE_MS, signal)
      }
    }
  }

  async head(): Promise<Position> {
    return this.#reader.head()
  }

  parsePosition(text: string): Position | null {
    return parsePosition(text)
  }

  /** Counts the events of one page, and extrapolates from the size of the log beyond it. */
  async eventsAfter(position: Position): Promise<number> {
    const { events, isFull } = await this.#reader.after(position, { limit: READ_PAGE_EVENTS_MAX })
    const shown = events.filter(({ recorded }) => recorded !== null).length
    const last = events.at(-1)
    if (!last || !isFull) return shown
    const begin = position === BEGINNING ? 0n : commitOf(position)
    const pageBytes = Number(commitOf(last.position) - begin)
    const allBytes = Number(commitOf(await this.head()) - begin)
    return Math.round(shown * (allBytes / pageBytes))
  }

  /** Finishes the running appends and ends the subscriptions. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#tail.close()
    await Promise.allSettled(this.#underWay)
    await this.#batches.close()
    this.#connections.close()
  }

  async #page(
    after: Position,
    categories: readonly string[] | undefined,
    limit: number,
    signal?: AbortSignal,
  ): Promise<EventBatch> {
    const { events, position } = await this.#reader.after(after, { categories, limit, signal })
    return { events: events.flatMap(({ recorded }) => (recorded ? [recorded] : [])), position }
  }

  async #append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    mayBeSent: MayBeSent | undefined,
  ): Promise<AppendResult> {
    const encoded = encodeAppend(stream, events)
    if (this.#closing.signal.aborted) throw new StoreUnavailable('the event store is closed')
    try {
      return await this.#appendAt(stream, expected, encoded, mayBeSent)
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error
      const behind = await behindForeignEvents(this.#reader, error, events)
      if (behind === null) throw error
      return 'found' in behind ? behind.found : await this.#appendAt(stream, behind.revision, encoded, mayBeSent)
    }
  }

  async #appendAt(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EncodedEvent[],
    mayBeSent: MayBeSent | undefined,
  ): Promise<AppendResult> {
    const seenBefore = this.#highestSeen ?? (await this.#readEnd())
    const outcome = await this.#appends.append({ stream, expected, events, mayBeSent, seenBefore })
    if ('answered' in outcome) return this.#resultOf(stream, expected, outcome.answered, seenBefore)
    const { found, appendId } = outcome
    this.#remember(found.position)
    return { revision: found.revision, position: found.position, repeated: found.appendId !== appendId }
  }

  /**
   * Determines whether the append was a repetition, because the server answers a repetition like the first append. It
   * was one if its position existed before it was sent, or is that of an earlier append of this process. At an expected
   * revision, where commands rely on it, the stored event also names the request that stored it. With "any" one case
   * goes unnoticed: another process stored the same events a moment ago.
   */
  async #resultOf(
    stream: string,
    expected: ExpectedRevision,
    { revision, position: answered, appendId }: Appended,
    seenBefore: Position,
  ): Promise<AppendResult> {
    if (answered !== null) {
      const isKnown = answered <= seenBefore || this.#appended.has(answered)
      this.#remember(answered)
      if (isKnown) return { revision, position: answered, repeated: true }
      if (expected === 'any') return { revision, position: answered, repeated: false }
    }
    const stored = await this.#lookBack(stream, revision)
    const position = stored?.position ?? answered
    if (position === null)
      throw new AppendOutcomeUnknown(stream, new Error('it was stored, but its position is unknown'))
    // If in doubt it counts as a repetition: a command then reads what is stored.
    return { revision, position, repeated: stored?.appendId !== appendId }
  }

  async #lookBack(stream: string, revision: number): Promise<StoredEvent | null> {
    try {
      for await (const stored of this.#reader.stream(stream, { from: revision, limit: 1 })) return stored
    } catch {
      // The append itself succeeded, so a failed read must not make it fail.
    }
    return null
  }

  /** Done once, before the first append: everything up to the end of the log was stored earlier. */
  #readEnd(): Promise<Position> {
    this.#readingEnd ??= within(this.#reader.logEnd(), APPEND_TIMEOUT_MS, this.#options.clock)
      .then((end) => this.#seen(end))
      .catch((error) => {
        throw new StoreUnavailable('the event store cannot be reached', error)
      })
      .finally(() => {
        this.#readingEnd = null
      })
    return this.#readingEnd
  }

  #remember(position: Position): void {
    this.#seen(position)
    this.#appended.add(position)
  }

  #seen(position: Position): Position {
    this.#highestSeen = later(this.#highestSeen ?? BEGINNING, position)
    return this.#highestSeen
  }
}
