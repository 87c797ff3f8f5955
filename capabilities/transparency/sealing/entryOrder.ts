import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { Position } from '../../../contracts/position.ts'
import { TransparencyFault } from './fault.ts'

/**
 * A restore keeps the order of the saved store except within its batches, which have at most half as many events. So an
 * event that is missing for longer will not come.
 */
export const RESTORE_WINDOW_EVENTS = 4_000

/** A ledger event, and the position from which it can be read again. */
type Held = { readonly event: RecordedEvent; readonly after: Position; readonly nth: number }

/**
 * The order of the log's entries, from events in the order of the store. Events that a restore wrote have the index that
 * their entry had, or none if they were not sealed when the backup was taken; those follow the others. All events since
 * are in store order. The result depends on the events only, not on how they were divided into pages.
 */
export class EntryOrder {
  /** The index of the next entry. */
  #next: number
  #nth = 0
  readonly #ahead = new Map<number, Held>()
  #unsealed: Held[] = []
  readonly #names = new Set<string>()

  constructor(size: number) {
    this.#next = size
  }

  /** The events that come next in the log now that this one was read, in order. `after` is where its page began. */
  add(event: RecordedEvent, after: Position): RecordedEvent[] {
    this.#nth += 1
    if (!isRestored(event)) return [...this.endOfRestore(), this.#take(event)]
    const held = { event, after, nth: this.#nth }
    this.#names.add(nameOf(event))
    const index = event.metadata.logIndex
    if (index === undefined) this.#unsealed.push(held)
    else this.#hold(index, held)
    const [oldest] = this.#ahead.values()
    if (oldest && this.#nth - oldest.nth > RESTORE_WINDOW_EVENTS) throw this.#gap()
    const ready = this.#takeInOrder()
    // The rest of its batch was read, so no event with an index follows the first of these.
    while (this.#ahead.size === 0 && this.#nth - (this.#unsealed[0]?.nth ?? this.#nth) > RESTORE_WINDOW_EVENTS) {
      ready.push(this.#take((this.#unsealed.shift() as Held).event))
    }
    return ready
  }

  /** No more events of a restore follow: the store was read to its end, or has an event that was written since. */
  endOfRestore(): RecordedEvent[] {
    if (this.#ahead.size > 0) throw this.#gap()
    if (this.#unsealed.length === 0) return []
    const rest = this.#unsealed
    this.#unsealed = []
    return rest.map(({ event }) => this.#take(event))
  }

  /** Where to resume reading after a restart; null if no event is held. */
  get earliest(): Position | null {
    const positions = [...this.#ahead.values(), ...this.#unsealed].map(({ after }) => after)
    return positions.toSorted()[0] ?? null
  }

  holds(event: RecordedEvent): boolean {
    return this.#names.has(nameOf(event))
  }

  #hold(index: number, held: Held): void {
    const other = this.#ahead.get(index)?.event
    if (index < this.#next || other) {
      throw new TransparencyFault(
        `event ${held.event.id} claims entry ${index}, which is that of another event`,
        held.event.id,
      )
    }
    this.#ahead.set(index, held)
  }

  #takeInOrder(): RecordedEvent[] {
    const ready: RecordedEvent[] = []
    for (let held = this.#ahead.get(this.#next); held; held = this.#ahead.get(this.#next)) {
      this.#ahead.delete(this.#next)
      ready.push(this.#take(held.event))
    }
    return ready
  }

  #take(event: RecordedEvent): RecordedEvent {
    this.#next += 1
    if (this.#names.size > 0) this.#names.delete(nameOf(event))
    return event
  }

  #gap(): TransparencyFault {
    const [index = 0] = [...this.#ahead.keys()].toSorted((a, b) => a - b)
    const id = this.#ahead.get(index)?.event.id ?? null
    const range = index - this.#next === 1 ? `entry ${this.#next}` : `entries ${this.#next} to ${index - 1}`
    return new TransparencyFault(`the store has no event for ${range} of the log, which precede event ${id}`, id)
  }
}

export const isRestored = ({ metadata }: RecordedEvent): boolean => metadata.recordedAt !== undefined

/** An id is unique within a stream only. */
export const nameOf = ({ stream, id }: Pick<RecordedEvent, 'stream' | 'id'>): string => `${stream} ${id}`
