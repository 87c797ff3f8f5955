/** The part of a gRPC call that is used here. */
export type Pullable<Item = Buffer> = {
  on(event: 'data', listener: (item: Item) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
  cancel(): void
}

/** Buffers what a call to the server sends until it is taken, up to a limit, at which the server has to wait. */
export class PulledStream<Item> {
  readonly #bufferMax: number
  readonly #weightOf: (item: Item) => number
  #stream: Pullable<Item> | null = null
  #items: Item[] = []
  #weight = 0
  #isPaused = false
  #error: Error | null = null
  #ended = false
  #isCanceled = false
  #wake: () => void = () => {}

  /** By default the limit is a number of items. */
  constructor(opening: Promise<Pullable<Item>>, bufferMax: number, weightOf: (item: Item) => number = () => 1) {
    this.#bufferMax = bufferMax
    this.#weightOf = weightOf
    opening.then(
      (stream) => this.#listen(stream),
      (error: Error) => this.#fail(error),
    )
  }

  /** Empty if nothing has arrived. Throws when the call has failed and everything before that was taken. */
  take(limit: number): Item[] {
    const items = this.#items.length <= limit ? this.#items : this.#items.slice(0, limit)
    if (items.length === 0 && this.#error) throw this.#error
    this.#items = items === this.#items ? [] : this.#items.slice(limit)
    this.#weight = this.#items.reduce((sum, item) => sum + this.#weightOf(item), 0)
    if (this.#isPaused && this.#weight < this.#bufferMax) {
      this.#isPaused = false
      this.#stream?.resume()
    }
    return items
  }

  /** The limit was reached, so more may wait at the server. */
  get isFull(): boolean {
    return this.#isPaused
  }

  /** The server has ended the call without an error, and everything was taken. */
  get ended(): boolean {
    return this.#ended && !this.#error && this.#items.length === 0
  }

  /** Resolves when there are items to take, or the call has ended or failed. */
  more(): Promise<void> {
    if (this.#items.length > 0 || this.#ended || this.#error) return Promise.resolve()
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  wake(): void {
    this.#wake()
    this.#wake = () => {}
  }

  cancel(): void {
    this.#isCanceled = true
    this.#stream?.cancel()
  }

  #listen(stream: Pullable<Item>): void {
    this.#stream = stream
    stream.on('error', (error: Error) => this.#fail(error))
    if (this.#isCanceled) {
      stream.cancel()
      return
    }
    stream.on('end', () => {
      this.#ended = true
      this.wake()
    })
    stream.on('data', (item: Item) => {
      this.#items.push(item)
      this.#weight += this.#weightOf(item)
      if (this.#weight >= this.#bufferMax) {
        this.#isPaused = true
        stream.pause()
      }
      this.wake()
    })
  }

  #fail(error: Error): void {
    this.#error ??= error
    this.wake()
  }
}
