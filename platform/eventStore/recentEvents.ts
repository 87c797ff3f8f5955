import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import type { EventBatch } from './port.ts'

/** Recent events kept in memory, so that several subscribers at the head share one read. */
export const RECENT_EVENTS_MAX = 5_000
export const RECENT_EVENTS_BYTES_MAX = 16 * 1024 * 1024
/** How many of the newest events are kept after every reader has them, for a reader that is about to reach the head. */
export const RECENT_EVENTS_MIN = 64

/** A reader of the newest events. It moves its position as it reads. */
export type TailReader = { readonly position: Position }

/** Events that arrived together, with their approximate size. */
type Batch = { readonly events: number; readonly last: Position; readonly bytes: number }

/**
 * The newest events of a store, without a gap, and the readers that wait for more. Positions need not be consecutive.
 * Events are forgotten when all readers have them: if kept longer, each young-generation garbage collection would copy
 * them while calls wait. Readers do not hold each other up: one that is slower than the limits allow reads from the
 * store.
 */
export class RecentEvents {
  #events: RecordedEvent[] = []
  /** All events after this position, up to #reached, are in memory. */
  #from: Position
  #reached: Position
  /** The batches in which they arrived, oldest first. */
  #batches: Batch[] = []
  #bytes = 0
  /** The number of events at which to check again which of them all readers have. */
  #lookAgainAt = 2 * RECENT_EVENTS_MIN
  readonly #waiters = new Set<() => void>()
  readonly #readers: ReadonlySet<TailReader>

  constructor(from: Position, readers: ReadonlySet<TailReader>) {
    this.#from = from
    this.#reached = from
    this.#readers = readers
  }

  /** The oldest position after which all events are in memory. */
  get from(): Position {
    return this.#from
  }

  /** All events up to this position are known, including those that are not shown to readers. */
  get reached(): Position {
    return this.#reached
  }

  /** The events after the position, and the position reached with them; null if memory does not reach back that far. */
  after(position: Position, limit: number): EventBatch | null {
    if (position < this.#from) return null
    if (position >= this.#reached) return { events: [], position }
    const start = this.#indexAfter(position)
    const events = this.#events.slice(start, start + limit)
    const isAll = start + events.length === this.#events.length
    return { events, position: isAll ? this.#reached : (events.at(-1)?.position ?? position) }
  }

  /** Adds events that directly follow the previous ones, and the position that is reached with them. */
  add(events: readonly RecordedEvent[], reached: Position, bytes: number): void {
    const [first] = events
    const last = events.at(-1)
    if ((first && first.position <= this.#reached) || reached < (last?.position ?? this.#reached)) {
      throw new Error(`events up to ${reached} do not follow ${this.#reached}`)
    }
    this.#reached = reached
    if (!last) return
    for (const event of events) this.#events.push(event)
    this.#batches.push({ events: events.length, last: last.position, bytes })
    this.#bytes += bytes
    // Only at twice the limit, so that most additions copy nothing.
    if (this.#events.length >= this.#lookAgainAt) this.#forgetPassed()
    if (this.#isOver(this.#events.length, 2)) this.#forgetOver()
  }

  /** Resolves when there may be events after the position, or when the signal aborts. */
  async more(position: Position, signal: AbortSignal): Promise<void> {
    if (signal.aborted || position < this.#reached) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.#waiters.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiters.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  /** Lets all waiting readers look again. */
  wake(): void {
    for (const wake of [...this.#waiters]) wake()
  }

  /** The index of the first event after the position. */
  #indexAfter(position: Position): number {
    let low = 0
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#events[middle] as RecordedEvent).position > position) high = middle
      else low = middle + 1
    }
    return low
  }

  /** A reader that still reads from the store needs them all: then it has less to read there. */
  #forgetPassed(): void {
    let slowest = this.#reached
    for (const { position } of this.#readers) if (position < slowest) slowest = position
    this.#forgetWhile(({ events, last }, left) => last <= slowest && left - events >= RECENT_EVENTS_MIN)
  }

  #forgetOver(): void {
    this.#forgetWhile((_, left) => this.#isOver(left, 1))
  }

  /** Forgets the oldest batches while the predicate holds for the next one and the number of remaining events. */
  #forgetWhile(isForgotten: (batch: Batch, left: number) => boolean): void {
    let forgotten = 0
    let batches = 0
    for (const batch of this.#batches) {
      if (!isForgotten(batch, this.#events.length - forgotten)) break
      forgotten += batch.events
      this.#bytes -= batch.bytes
      batches++
    }
    this.#lookAgainAt = this.#events.length - forgotten + RECENT_EVENTS_MIN
    if (batches === 0) return
    this.#from = this.#events[forgotten - 1]?.position ?? this.#from
    this.#batches = this.#batches.slice(batches)
    this.#events = this.#events.slice(forgotten)
  }

  #isOver(events: number, times: number): boolean {
    return events > times * RECENT_EVENTS_MAX || this.#bytes > times * RECENT_EVENTS_BYTES_MAX
  }
}
