import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { Position } from '../../../contracts/position.ts'
import type { EventBatch } from './port.ts'

/** Recent events kept in memory, so that several subscribers at the head share one read. */
export const RECENT_EVENTS_MAX = 5_000
export const RECENT_EVENTS_BYTES_MAX = 16 * 1024 * 1024

/**
 * The newest events of a store, without a gap, and the readers that wait for more. Positions need not be consecutive.
 * Readers do not hold each other up: a reader that is slower than the events are forgotten reads them from the store.
 */
export class RecentEvents {
  #events: RecordedEvent[] = []
  /** All events after this position, up to #reached, are in memory. */
  #from: Position
  #reached: Position
  /** The batches in which they arrived, oldest first, with their approximate size. */
  #batches: { readonly events: number; readonly bytes: number }[] = []
  #bytes = 0
  readonly #waiters = new Set<() => void>()

  constructor(from: Position) {
    this.#from = from
    this.#reached = from
  }

  /** The oldest position after which all events are in memory. */
  get from(): Position {
    return this.#from
  }

  /** All events up to this position are known, including those that are not shown to readers. */
  get reached(): Position {
    return this.#reached
  }

  /** Events after the position, and the position that a reader reaches with them; null if memory does not reach back that far. */
  after(position: Position, limit: number): EventBatch | null {
    if (position < this.#from) return null
    if (position >= this.#reached) return { events: [], position }
    const start = this.#indexAfter(position)
    const events = this.#events.slice(start, start + limit)
    const isAll = start + events.length === this.#events.length
    return { events, position: isAll ? this.#reached : (events.at(-1)?.position ?? position) }
  }

  /** Adds events that directly follow those before, and the position that is known to be reached with them. */
  add(events: readonly RecordedEvent[], reached: Position, bytes: number): void {
    const [first] = events
    if ((first && first.position <= this.#reached) || reached < (events.at(-1)?.position ?? this.#reached)) {
      throw new Error(`events up to ${reached} do not follow ${this.#reached}`)
    }
    this.#reached = reached
    if (!first) return
    for (const event of events) this.#events.push(event)
    this.#batches.push({ events: events.length, bytes })
    this.#bytes += bytes
    // Only when twice the limit is reached, so that most additions copy nothing.
    if (this.#isOver(this.#events.length, 2)) this.#forgetOldest()
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

  /** Lets all readers that wait look again. */
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

  #forgetOldest(): void {
    let forgotten = 0
    let batches = 0
    for (const { events, bytes } of this.#batches) {
      if (!this.#isOver(this.#events.length - forgotten, 1)) break
      forgotten += events
      this.#bytes -= bytes
      batches++
    }
    this.#from = this.#events[forgotten - 1]?.position ?? this.#from
    this.#batches = this.#batches.slice(batches)
    this.#events = this.#events.slice(forgotten)
  }

  #isOver(events: number, times: number): boolean {
    return events > times * RECENT_EVENTS_MAX || this.#bytes > times * RECENT_EVENTS_BYTES_MAX
  }
}
