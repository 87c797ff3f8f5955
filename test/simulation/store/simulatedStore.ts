import type { NewEvent, RecordedEvent } from '../../../contracts/envelope.ts'
import type { Position } from '../../../contracts/position.ts'
import { categoryOf } from '../../../contracts/streams.ts'
import {
  AppendOutcomeUnknown,
  type AppendResult,
  type EventBatch,
  type EventStore,
  type ExpectedRevision,
  type MayBeSent,
  type ReadAllOptions,
  type ReadStreamOptions,
  StoreUnavailable,
  type SubscribeOptions,
} from '../../../platform/eventStore/port.ts'
import { APPEND_TIMEOUT_MS } from '../../../platform/eventStore/storeLimits.ts'
import type { Counters } from '../counters.ts'
import type { FaultPlan } from '../faults/faultPlan.ts'
import type { Random } from '../scheduler/random.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import type { Span } from '../spans.ts'
import { Deliveries } from './deliveries.ts'
import { EventLog } from './eventLog.ts'
import { RemoteCalls, type RemoteFate } from './remoteCalls.ts'

const SILENT_MS_MAX = 30_000
/** Half of the silences last until charges that are under way are given up. */
const LONG_SILENCE_MS_MIN = 15_000
/** How often a store without unique ids still knows an id that is appended once more. */
const KNOWN_ID_SHARE = 0.5
const READ_TIMEOUT_MS = 10_000
/** A process that dies with its append may still do something else before. */
const DIES_WITHIN_MS = 50

export type SimulatedStoreOptions = {
  readonly scheduler: Scheduler
  readonly faults: FaultPlan
  readonly random: Random
  readonly counters: Counters
  /** The clock by which events are recorded. */
  readonly clockMs: () => number
  /** Otherwise it behaves like EventStoreDB, which may store an event twice. */
  readonly idsAreUnique: boolean
  /** How to kill the process that sends an append after some time; null for one that would not be started again. */
  readonly killerOfSender?: () => ((inMs: number) => void) | null
}

/** An event store in memory that all processes share. Appends, reads and deliveries are steps. */
export class SimulatedStore implements EventStore {
  readonly idsAreUnique: boolean
  readonly log = new EventLog()
  readonly deliveries: Deliveries
  readonly #scheduler: Scheduler
  readonly #faults: FaultPlan
  readonly #random: Random
  readonly #counters: Counters
  readonly #clockMs: () => number
  readonly #killerOfSender: NonNullable<SimulatedStoreOptions['killerOfSender']>
  readonly #remote: RemoteCalls
  #silentUntilMs = 0
  readonly #disturbances: (Span & { readonly process: string | null })[] = []

  constructor(options: SimulatedStoreOptions) {
    const { scheduler, faults, random, counters, clockMs, idsAreUnique, killerOfSender = () => null } = options
    this.idsAreUnique = idsAreUnique
    this.#killerOfSender = killerOfSender
    this.#scheduler = scheduler
    this.#faults = faults
    this.#random = random
    this.#counters = counters
    this.#clockMs = clockMs
    this.#remote = new RemoteCalls(scheduler, random)
    this.deliveries = new Deliveries({
      ...{ scheduler, faults, random },
      log: this.log,
      silentForMs: () => this.#silentForMs,
      disturbed: (process, untilMs) => this.#disturb(process, untilMs),
    })
  }

  /** For this process, or for all, something is slower than in a store that keeps up: promises of time do not hold. */
  #disturb(process: string | null, toMs: number): void {
    this.#disturbances.push({ process, fromMs: this.#scheduler.nowMs, toMs })
  }

  disturbances(process: string): readonly Span[] {
    return this.#disturbances.filter((each) => (each.process ?? process) === process)
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    mayBeSent?: MayBeSent,
  ): Promise<AppendResult> {
    if (mayBeSent?.() === false) throw new StoreUnavailable('the append may not be sent any more')
    const fate = this.#faults.happens('store is silent') ? this.#silenced(stream) : this.#fateOf(stream)
    return this.#remote.call(`append to ${stream}`, fate, () => this.#store(stream, expected, events))
  }

  /** It may store this append before it falls silent, but not answer it. */
  #silenced(stream: string): RemoteFate {
    this.#fallSilent()
    if (this.#random.chance(0.5)) return this.#fateOf(stream)
    const { arrivesInMs } = this.#remote.usual()
    return { arrivesInMs, answeredInMs: APPEND_TIMEOUT_MS, failure: new AppendOutcomeUnknown(stream, 'simulated') }
  }

  #fallSilent(): void {
    const leastMs = this.#random.chance(0.5) ? LONG_SILENCE_MS_MIN : 0
    this.#silentUntilMs = this.#scheduler.nowMs + this.#random.between(leastMs, SILENT_MS_MAX)
    this.#disturb(null, this.#silentUntilMs)
    this.#faults.lastsFor(this.#silentForMs)
    this.#scheduler.record(`the store is silent for ${this.#silentForMs} ms`)
  }

  #store(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): AppendResult {
    const isUnique = this.idsAreUnique
    const knowsIds = isUnique || this.#random.chance(KNOWN_ID_SHARE)
    const recordedAt = new Date(this.#clockMs()).toISOString()
    const result = this.log.append(stream, expected, events, { knowsIds, isUnique, recordedAt })
    this.#scheduler.record(`${stream} has ${events.map(({ type }) => type).join()} at ${result.revision}`)
    if (result.repeated) this.#counters.hit('a repeated append is recognised')
    else {
      this.#counters.hit('events', events.length)
      this.deliveries.stored()
    }
    return result
  }

  #fateOf(stream: string): RemoteFate {
    const usual = this.#remote.usual()
    const unknown = () => new AppendOutcomeUnknown(stream, 'simulated')
    if (this.#silentForMs > 0) {
      // After its own deadline, the server refuses the append.
      const isInTime = this.#silentForMs < APPEND_TIMEOUT_MS
      if (!isInTime) return { arrivesInMs: null, answeredInMs: APPEND_TIMEOUT_MS, failure: unknown() }
      return { arrivesInMs: this.#silentForMs, answeredInMs: this.#silentForMs + 1 }
    }
    const soonMs = () => this.#random.fraction() ** 2 * APPEND_TIMEOUT_MS
    if (this.#faults.happens('append is refused')) {
      return { ...usual, arrivesInMs: null, failure: new StoreUnavailable('simulated') }
    }
    if (this.#faults.happens('append is stored and its answer lost')) {
      // It stores this append, and nothing more for a while.
      if (this.#faults.happens('store falls silent with its answer')) this.#fallSilent()
      return { ...usual, answeredInMs: (usual.arrivesInMs ?? 0) + soonMs(), failure: unknown() }
    }
    const kill = this.#killerOfSender()
    if (kill && this.#faults.happens('process dies with its append')) {
      kill(this.#random.fraction() ** 2 * DIES_WITHIN_MS)
      if (this.#random.chance(0.5)) return { arrivesInMs: null, answeredInMs: null }
    }
    if (this.#faults.happens('append is slow')) {
      const arrivesInMs = soonMs()
      return { arrivesInMs, answeredInMs: arrivesInMs + 1 }
    }
    if (this.#faults.happens('append is late')) {
      return { arrivesInMs: this.#random.chance(0.7) ? soonMs() : null, answeredInMs: soonMs(), failure: unknown() }
    }
    return usual
  }

  get #silentForMs(): number {
    return Math.max(0, this.#silentUntilMs - this.#scheduler.nowMs)
  }

  #read<Result>(label: string, work: () => Result): Promise<Result> {
    const silentMs = this.#silentForMs
    if (silentMs === 0) return this.#remote.call(label, this.#remote.usual(), work)
    const failure = new StoreUnavailable('the store does not answer')
    if (silentMs > READ_TIMEOUT_MS) {
      return this.#remote.call(label, { arrivesInMs: null, answeredInMs: READ_TIMEOUT_MS, failure }, work)
    }
    return this.#remote.call(label, { arrivesInMs: silentMs, answeredInMs: silentMs + 1 }, work)
  }

  async *readStream(stream: string, options: ReadStreamOptions = {}): AsyncIterable<RecordedEvent> {
    const { direction = 'forwards', from, limit } = options
    yield* await this.#read(`read of ${stream}`, () => {
      const stored = this.log.stream(stream)
      const events =
        direction === 'forwards' ? stored.slice(from ?? 0) : stored.slice(0, (from ?? stored.length) + 1).reverse()
      return events.slice(0, limit)
    })
  }

  async *foreignEvents(): AsyncIterable<never> {}

  readAll({ after, categories, limit }: ReadAllOptions): Promise<EventBatch> {
    return this.#read('read of all', () => {
      const page = this.log.after(after).slice(0, limit)
      const events = page.filter(({ stream }) => !categories || categories.includes(categoryOf(stream)))
      return { events, position: page.at(-1)?.position ?? after }
    })
  }

  async *subscribe({ after, categories, signal }: SubscribeOptions): AsyncIterable<EventBatch> {
    const partition = { name: 'all', has: () => true }
    const isChosen = ({ stream }: RecordedEvent) => !categories || categories.includes(categoryOf(stream))
    for await (const { events, position } of this.deliveries.of(partition, after, isChosen, signal)) {
      yield { events, position }
    }
  }

  head(): Promise<Position> {
    return this.#read('head', () => this.log.head)
  }

  parsePosition(text: string): Position | null {
    return /^\d{12}$/.test(text) ? (text as Position) : null
  }

  async eventsAfter(position: Position): Promise<number> {
    return this.log.after(position).length
  }

  async close(): Promise<void> {}
}
