import type { NewEvent, Recorded, RecordedEvent } from '../../../contracts/envelope.ts'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import type { Category, StreamName } from '../../../contracts/streams.ts'
import {
  AppendOutcomeUnknown,
  type AppendResult,
  type EventBatch,
  type ExpectedRevision,
  type MayBeSent,
  type ReadAllOptions,
  type ReadStreamOptions,
  StoreUnavailable,
  type TypedEventStore,
  WrongExpectedRevision,
} from '../../../platform/eventStore/port.ts'

/** Decides the fate of one append; `apply` executes it in the store. */
export type Fault = (apply: () => AppendResult) => Promise<AppendResult>

/** Stored, but the append is not answered. */
export const loseAnswer: Fault = async (apply) => {
  apply()
  throw new AppendOutcomeUnknown('a stream', 'the connection broke after the commit')
}
/** Never arrives. */
export const loseRequest: Fault = async () => {
  throw new AppendOutcomeUnknown('a stream', 'the connection broke before the commit')
}
export const unavailable: Fault = async () => {
  throw new StoreUnavailable('connection refused')
}

/** Its answer is lost, and it arrives only when the test allows it. */
export function landingLate(): { fault: Fault; land(): void } {
  let carryOut: (() => AppendResult) | null = null
  return {
    fault: async (apply) => {
      carryOut = apply
      throw new AppendOutcomeUnknown('a stream', 'time-out')
    },
    land: () => void carryOut?.(),
  }
}

/** Stays unanswered until the test decides how it ends. */
export function hanging(): { fault: Fault; end(how: Fault): void } {
  const { promise, resolve } = Promise.withResolvers<Fault>()
  return { fault: async (apply) => (await promise)(apply), end: resolve }
}

/**
 * An event store in which any append can be made to fail.
 * `idsAreUnique: false` behaves as EventStoreDB may at its worst: under "any" it stores known events again, and an exact
 * revision protects only because the stream has moved on.
 */
export class MemoryEventStore implements TypedEventStore {
  readonly idsAreUnique: boolean
  /** The expected revision of every append that was sent, in order. */
  readonly sent: ExpectedRevision[] = []
  beforeRead: () => void | Promise<void> = () => {}
  readonly #streams = new Map<string, RecordedEvent[]>()
  #faults: Fault[] = []
  #position = 0

  constructor({ idsAreUnique = true }: { idsAreUnique?: boolean } = {}) {
    this.idsAreUnique = idsAreUnique
  }

  /** The next appends fail in these ways, one each; later ones succeed. */
  failNext(...faults: Fault[]): void {
    this.#faults.push(...faults)
  }

  /** The next appends succeed. */
  clearFaults(): void {
    this.#faults = []
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    mayBeSent?: MayBeSent,
  ): Promise<AppendResult> {
    if (mayBeSent?.() === false) throw new StoreUnavailable('the append may not be sent any more')
    this.sent.push(expected)
    const apply = () => this.write(stream, expected, events)
    const fault = this.#faults.shift()
    return fault ? fault(apply) : apply()
  }

  /** Writes as another client, without the faults. */
  write(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): AppendResult {
    const stored = this.stored(stream)
    const actual = stored.length - 1
    const repetition = this.#repetitionOf(stored, expected, events)
    if (repetition) return { revision: repetition.revision, position: repetition.position, repeated: true }
    const elsewhere = this.idsAreUnique && stored.some(({ id }) => events.some((event) => event.id === id))
    if (elsewhere || (expected !== 'any' && revisionNumber(expected) !== actual)) {
      throw new WrongExpectedRevision(stream, expected, actual === -1 ? null : actual)
    }
    for (const event of events) {
      const position = String(++this.#position).padStart(16, '0') as Position
      const recordedAt = '2026-01-01T00:00:00.000Z'
      stored.push({ ...structuredClone(event), stream, revision: stored.length, position, recordedAt })
    }
    this.#streams.set(stream, stored)
    return { revision: stored.length - 1, position: this.#head(), repeated: false }
  }

  stored(stream: string): RecordedEvent[] {
    return this.#streams.get(stream) ?? []
  }

  /** Nothing is upcast: the tests store current versions only. */
  async *readStream<C extends Category>(
    stream: StreamName<C>,
    options: ReadStreamOptions = {},
  ): AsyncIterable<Recorded<EventOf<C>>> {
    const { direction = 'forwards', from, limit } = options
    await this.beforeRead()
    const stored = this.stored(stream) as Recorded<EventOf<C>>[]
    const events =
      direction === 'forwards' ? stored.slice(from ?? 0) : stored.slice(0, (from ?? stored.length) + 1).reverse()
    yield* events.slice(0, limit)
  }

  async *foreignEvents(): AsyncIterable<never> {}

  async readAll<C extends Category = Category>({ after, limit }: ReadAllOptions<C>): Promise<EventBatch<EventOf<C>>> {
    const all = [...this.#streams.values()].flat().sort((a, b) => (a.position < b.position ? -1 : 1))
    const events = all.filter((event) => event.position > after).slice(0, limit) as Recorded<EventOf<C>>[]
    return { events, position: events.at(-1)?.position ?? after }
  }

  subscribe<C extends Category>(): AsyncIterable<EventBatch<EventOf<C>>> {
    throw new Error('a store in memory has no subscriptions')
  }

  async head(): Promise<Position> {
    return this.#head()
  }

  parsePosition(text: string): Position | null {
    return /^\d{16}$/.test(text) ? (text as Position) : null
  }

  async eventsAfter(position: Position): Promise<number> {
    return this.#position - Number(position)
  }

  async close(): Promise<void> {}

  #head(): Position {
    return this.#position === 0 ? BEGINNING : (String(this.#position).padStart(16, '0') as Position)
  }

  #repetitionOf(stored: RecordedEvent[], expected: ExpectedRevision, events: readonly NewEvent[]) {
    if (expected === 'any' && !this.idsAreUnique) return undefined
    const ids = events.map((event) => event.id)
    const start = expected === 'any' ? stored.findIndex((event) => event.id === ids[0]) : revisionNumber(expected) + 1
    if (start === -1 || start >= stored.length) return undefined
    const found = stored.slice(start, start + ids.length)
    return found.every((event, index) => event.id === ids[index]) ? found.at(-1) : undefined
  }
}

function revisionNumber(expected: Exclude<ExpectedRevision, 'any'>): number {
  return expected === 'none' ? -1 : expected
}
