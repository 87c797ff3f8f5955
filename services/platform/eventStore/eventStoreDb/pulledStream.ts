/** The part of a readable stream that is used here; the client's types come with a Node of their own. */
export type Pullable = {
  read(): unknown
  readonly readableLength: number
  on(event: string, listener: (error: Error) => void): unknown
}

/**
 * Takes from a stream of the client all that it holds at once, and nothing while nobody asks: so the server waits for a
 * slow reader, and events come in batches, never to two handlers at the same time.
 */
export class PulledStream<Item> {
  readonly #stream: Pullable
  #error: Error | null = null
  #ended = false
  /** It has announced something since the last look, perhaps while nobody waited: events, or its end, which only shows then. */
  #announced = false
  #wake: () => void = () => {}

  constructor(stream: Pullable) {
    this.#stream = stream
    stream.on('readable', () => {
      this.#announced = true
      this.wake()
    })
    stream.on('end', () => {
      this.#ended = true
      this.wake()
    })
    // The client emits it without ending the stream, perhaps more than once.
    stream.on('error', (error: Error) => {
      this.#error ??= error
      this.wake()
    })
  }

  /** Empty: nothing is there now. Throws when the stream has failed and all before it was taken. */
  take(limit: number): Item[] {
    this.#announced = false
    const items: Item[] = []
    while (items.length < limit) {
      const item = this.#stream.read() as Item | null
      if (item === null) break
      items.push(item)
    }
    if (items.length === 0 && this.#error) throw this.#error
    return items
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Resolves when there may be something to take, or it has ended or failed. */
  more(): Promise<void> {
    if (this.#announced || this.#stream.readableLength > 0 || this.#ended || this.#error) return Promise.resolve()
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  wake(): void {
    this.#wake()
    this.#wake = () => {}
  }
}
