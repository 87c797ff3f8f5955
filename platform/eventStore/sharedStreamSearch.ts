import type { AppendResult, EventStore } from './port.ts'

/** The event, if found, and the first revision that was not read. */
export type SearchResult = { readonly found: AppendResult | null; readonly next: number }

type Search = {
  readonly id: string
  readonly from: number
  resolve(result: SearchResult): void
  reject(error: unknown): void
}

/**
 * Searches streams for events by id, with one read of a stream for all searches that wait for it. After an outage there
 * are hundreds of searches in the same few streams: a read for each would overload a store that is just recovering.
 */
export class SharedStreamSearch {
  readonly #store: Pick<EventStore, 'readStream'>
  /** By stream, the searches that started during a read. It may already be past their event, so they get the next read. */
  readonly #waiting = new Map<string, Search[]>()

  constructor(store: Pick<EventStore, 'readStream'>) {
    this.#store = store
  }

  find(stream: string, id: string, from: number): Promise<SearchResult> {
    return new Promise((resolve, reject) => {
      const search = { id, from, resolve, reject }
      const waiting = this.#waiting.get(stream)
      if (waiting) waiting.push(search)
      else void this.#run(stream, search)
    })
  }

  async #run(stream: string, first: Search): Promise<void> {
    let searches = [first]
    while (searches.length > 0) {
      const next: Search[] = []
      this.#waiting.set(stream, next)
      await this.#read(stream, searches)
      searches = next
    }
    this.#waiting.delete(stream)
  }

  async #read(stream: string, searches: readonly Search[]): Promise<void> {
    const byId = Map.groupBy(searches, ({ id }) => id)
    let next = Math.min(...searches.map(({ from }) => from))
    try {
      for await (const { id, revision, position } of this.#store.readStream(stream, { from: next })) {
        next = revision + 1
        for (const search of byId.get(id) ?? []) search.resolve({ found: { revision, position, repeated: true }, next })
      }
      for (const { from, resolve } of searches) resolve({ found: null, next: Math.max(from, next) })
    } catch (error) {
      for (const { reject } of searches) reject(error)
    }
  }
}
