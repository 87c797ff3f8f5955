import type { NewEvent, RecordedEvent } from '../../../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../../../contracts/position.ts'
import type { Clock } from '../../clock/clock.ts'
import { within } from '../../clock/within.ts'
import type { Log } from '../../log/log.ts'
import { encodeAppend } from '../eventGuard.ts'
import {
  AppendOutcomeUnknown,
  type AppendResult,
  type EventBatch,
  type EventStore,
  type ExpectedRevision,
  type ReadAllOptions,
  type ReadStreamOptions,
  StoreUnavailable,
  type SubscribeOptions,
} from '../port.ts'
import { APPEND_TIMEOUT_MS, READ_PAGE_EVENTS_MAX } from '../storeLimits.ts'
import { type Appended, BatchAppends } from './batchAppends.ts'
import { batchOf, follow } from './follow.ts'
import { commitOf, later, parsePosition } from './position.ts'
import { Reading } from './reading.ts'
import { ReadingClient } from './storeClient.ts'
import type { StoredEvent } from './storedEvent.ts'

export type EventStoreDbOptions = {
  readonly clock: Clock
  readonly log: Log
  /** From when an append was sent to its answer. */
  readonly appendTimeoutMs?: number
}

const RESUBSCRIBE_MS = 200

/**
 * The production event store. The server promises that ids make an append idempotent at an expected revision; with "any"
 * it does its best and forgets (see pursuit.ts).
 */
export function openEventStoreDb(url: string, options: EventStoreDbOptions): EventStore {
  return new EventStoreDb(url, options)
}

class EventStoreDb implements EventStore {
  readonly idsAreUnique = false
  readonly #options: EventStoreDbOptions
  readonly #client: ReadingClient
  readonly #reading: Reading
  readonly #appends: BatchAppends
  readonly #closing = new AbortController()
  readonly #underWay = new Set<Promise<AppendResult>>()
  /** The highest position that this process has heard of in any way, and in an answer to an append. */
  #heardOf: Position | null = null
  #answered: Position = BEGINNING
  #hearingOfNewest: Promise<Position> | null = null

  constructor(url: string, options: EventStoreDbOptions) {
    this.#options = options
    this.#client = new ReadingClient(url)
    this.#reading = new Reading(this.#client, options.clock)
    this.#appends = new BatchAppends(url, options.clock, options.appendTimeoutMs ?? APPEND_TIMEOUT_MS)
  }

  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    const append = this.#append(stream, expected, events)
    this.#underWay.add(append)
    const done = () => this.#underWay.delete(append)
    append.then(done, done)
    return append
  }

  async *readStream(stream: string, options: ReadStreamOptions = {}): AsyncIterable<RecordedEvent> {
    for await (const { recorded } of this.#reading.stream(stream, options)) if (recorded) yield recorded
  }

  async readAll({ after, categories, limit }: ReadAllOptions): Promise<EventBatch> {
    const { events } = await this.#reading.after(after, limit)
    const batch = batchOf(events, after, categories)
    this.#hearOf(batch.position)
    return batch
  }

  async *subscribe(options: SubscribeOptions): AsyncIterable<EventBatch> {
    const { clock, log } = this.#options
    const { categories } = options
    const signal = AbortSignal.any([options.signal, this.#closing.signal])
    const store = { connect: () => this.#client.another(), reading: this.#reading, clock }
    let position = options.after
    let isBroken = false
    while (!signal.aborted) {
      try {
        for await (const batch of follow(store, { ...options, after: position, signal }, { isResumed: isBroken })) {
          position = batch.position
          isBroken = false
          this.#hearOf(position)
          yield batch
        }
      } catch (error) {
        if (signal.aborted) return
        // One line for an outage, however often it is tried meanwhile.
        const level = isBroken ? 'debug' : 'warn'
        isBroken = true
        log[level]({ err: error, categories }, 'a subscription to the event store broke and begins again')
        await clock.delay(RESUBSCRIBE_MS, signal)
      }
    }
  }

  async head(): Promise<Position> {
    return (await this.#reading.newest())?.position ?? BEGINNING
  }

  parsePosition(text: string): Position | null {
    return parsePosition(text)
  }

  /** Counts a page of events, and beyond it goes by the bytes of the log that the page takes. */
  async eventsAfter(position: Position): Promise<number> {
    const { events, isFull } = await this.#reading.after(position, READ_PAGE_EVENTS_MAX)
    const shown = events.filter(({ recorded }) => recorded !== null).length
    const last = events.at(-1)
    if (!last || !isFull) return shown
    const begin = position === BEGINNING ? 0n : commitOf(position)
    const pageBytes = Number(commitOf(last.position) - begin)
    const allBytes = Number(commitOf(await this.head()) - begin)
    return Math.round(shown * (allBytes / pageBytes))
  }

  /** Appends that are under way finish, subscriptions end. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#underWay)
    await this.#appends.close()
    this.#client.close()
  }

  async #append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    const encoded = encodeAppend(stream, events)
    if (this.#closing.signal.aborted) throw new StoreUnavailable('the event store is closed')
    const heardOf = this.#heardOf ?? (await this.#hearOfNewest())
    const appended = await this.#appends.append(stream, expected, encoded)
    return this.#resultOf(stream, expected, appended, heardOf)
  }

  /**
   * The server answers a repetition as it answers the first. It is one when the events stand where something stood
   * before they were sent, or where an append of this process was answered; at an expected revision, where commands
   * rely on it, the stored event also tells which request it came with. With "any" one thing goes unnoticed: that
   * another process stored the same events a moment ago.
   */
  async #resultOf(
    stream: string,
    expected: ExpectedRevision,
    { revision, position: answered, appendId }: Appended,
    heardOf: Position,
  ): Promise<AppendResult> {
    const known = later(heardOf, this.#answered)
    if (answered !== null) {
      this.#answered = later(this.#answered, answered)
      this.#hearOf(answered)
      if (answered <= known) return { revision, position: answered, repeated: true }
      if (expected === 'any') return { revision, position: answered, repeated: false }
    }
    const stored = await this.#lookBack(stream, revision)
    const position = stored?.position ?? answered
    if (position === null) throw new AppendOutcomeUnknown(stream, new Error('it was stored, nobody knows where'))
    // When in doubt it is a repetition: a command then looks at what is stored.
    return { revision, position, repeated: stored?.appendId !== appendId }
  }

  async #lookBack(stream: string, revision: number): Promise<StoredEvent | null> {
    try {
      for await (const stored of this.#reading.stream(stream, { from: revision, limit: 1 })) return stored
    } catch {
      // The append itself went well; who needs to know more asks the store when it is back.
    }
    return null
  }

  /** Asked once, before the first append: all that stands there already was stored by others. */
  #hearOfNewest(): Promise<Position> {
    this.#hearingOfNewest ??= within(this.head(), APPEND_TIMEOUT_MS, this.#options.clock)
      .then((head) => this.#hearOf(head))
      .catch((error) => {
        throw new StoreUnavailable('the event store cannot be reached', error)
      })
      .finally(() => {
        this.#hearingOfNewest = null
      })
    return this.#hearingOfNewest
  }

  #hearOf(position: Position): Position {
    this.#heardOf = later(this.#heardOf ?? BEGINNING, position)
    return this.#heardOf
  }
}
