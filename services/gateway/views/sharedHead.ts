import type { Position } from '../../../contracts/position.ts'
import type { EventStore } from '../../../platform/eventStore/port.ts'

/**
 * The head of the store, read once for all that ask at about the same time. An answer never comes from a read that began
 * before the question: it might lack an event that the asking request depends on. So there is at most one read under way,
 * and one that follows it.
 */
export class SharedHead {
  readonly #store: Pick<EventStore, 'head'>
  #reading: Promise<Position> | null = null
  #next: Promise<Position> | null = null

  constructor(store: Pick<EventStore, 'head'>) {
    this.#store = store
  }

  read(): Promise<Position> {
    if (this.#reading === null) return this.#begin()
    const begin = () => this.#begin()
    this.#next ??= this.#reading.then(begin, begin)
    return this.#next
  }

  #begin(): Promise<Position> {
    this.#next = null
    const reading = this.#store.head()
    this.#reading = reading
    const end = () => {
      if (this.#reading === reading) this.#reading = null
    }
    reading.then(end, end)
    return reading
  }
}
