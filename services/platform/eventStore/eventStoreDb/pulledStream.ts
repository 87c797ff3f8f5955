/** The part of a readable stream that is used here. The types of the client refer to another version of Node's. */
export type Pullable = {
  read(): unknown
  readonly readableLength: number
  on(event: string, listener: (error: Error) => void): unknown
}

/**
 * Takes everything that a stream of the client has buffered at once, and nothing in between. So the server waits for a
 * slow reader, and events come in batches and never to two handlers at the same time.
 */
export class PulledStream<Item> {
  readonly #stream: Pullable
  #error: Error | null = null
  #ended = false
  /** The stream became readable since the last take: it has events, or its end, which only the next read reveals. */
  #isReadable = false
  #wake: () => void = () => {}

  constructor(stream: Pullable) {
    this.#stream = stream
    stream.on('readable', () => {
      this.#isReadable = true
      this.wake()
    })
    stream.on('end', () => {
      this.#ended = true
      this.wake()
    })
    // The client emits errors without ending the stream, perhaps more than once.
    stream.on('error', (error: Error) => {
      this.#error ??= error
      this.wake()
    })
  }

  /** Empty if nothing is buffered. Throws when the stream has failed and everything before that was taken. */
  take(limit: number): Item[] {
    this.#isReadable = false
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

  /** Resolves when there may be items to take, or the stream has ended or failed. */
  more(): Promise<void> {
    if (this.#isReadable || this.#stream.readableLength > 0 || this.#ended || this.#error) return Promise.resolve()
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  wake(): void {
    this.#wake()
    this.#wake = () => {}
  }
}
