import type { AppendResult, EventStore } from './port.ts'

/** What a look has found, and the first revision that it has not seen. */
export type Seen = { readonly found: AppendResult | null; readonly next: number }

type Look = {
  readonly id: string
  readonly from: number
  resolve(seen: Seen): void
  reject(error: unknown): void
}

/**
 * Reads a stream once for all who look for an event in it at the same time. After an outage these are hundreds, on the
 * same few streams: a read for each would keep a store that has just come back from coming back.
 */
export class SharedLooks {
  readonly #store: Pick<EventStore, 'readStream'>
  /** Those that came while a look was under way, by stream: it may have passed what they look for, so they have the next. */
  readonly #waiting = new Map<string, Look[]>()

  constructor(store: Pick<EventStore, 'readStream'>) {
    this.#store = store
  }

  find(stream: string, id: string, from: number): Promise<Seen> {
    return new Promise((resolve, reject) => {
      const look = { id, from, resolve, reject }
      const waiting = this.#waiting.get(stream)
      if (waiting) waiting.push(look)
      else void this.#run(stream, look)
    })
  }

  async #run(stream: string, first: Look): Promise<void> {
    let looks = [first]
    while (looks.length > 0) {
      const next: Look[] = []
      this.#waiting.set(stream, next)
      await this.#look(stream, looks)
      looks = next
    }
    this.#waiting.delete(stream)
  }

  async #look(stream: string, looks: readonly Look[]): Promise<void> {
    const byId = Map.groupBy(looks, ({ id }) => id)
    let next = Math.min(...looks.map(({ from }) => from))
    try {
      for await (const { id, revision, position } of this.#store.readStream(stream, { from: next })) {
        next = revision + 1
        for (const look of byId.get(id) ?? []) look.resolve({ found: { revision, position, repeated: true }, next })
      }
      for (const { from, resolve } of looks) resolve({ found: null, next: Math.max(from, next) })
    } catch (error) {
      for (const { reject } of looks) reject(error)
    }
  }
}
