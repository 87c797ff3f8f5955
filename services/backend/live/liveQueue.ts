/** What one reader has not read yet. It ends when it is closed, or fails with the error it is closed with. */
export class LiveQueue<Value> {
  readonly #valuesMax: number
  readonly #onClose: () => void
  #values: Value[] = []
  #woken: PromiseWithResolvers<void> | null = null
  #closed: { readonly error: Error | null } | null = null

  constructor({ valuesMax, onClose }: { readonly valuesMax: number; readonly onClose: () => void }) {
    this.#valuesMax = valuesMax
    this.#onClose = onClose
  }

  get isClosed(): boolean {
    return this.#closed !== null
  }

  /** False if the reader is too far behind; the value is then dropped. */
  push(value: Value): boolean {
    if (this.#closed || this.#values.length >= this.#valuesMax) return false
    this.#values.push(value)
    this.#wake()
    return true
  }

  /** Replaces everything queued, for a reader that only wants the newest. */
  replace(value: Value): void {
    if (this.#closed) return
    this.#values = [value]
    this.#wake()
  }

  async next(): Promise<IteratorResult<Value, undefined>> {
    while (!this.#closed) {
      const value = this.#values.shift()
      if (value !== undefined) return { done: false, value }
      this.#woken ??= Promise.withResolvers<void>()
      await this.#woken.promise
    }
    if (this.#closed.error) throw this.#closed.error
    return { done: true, value: undefined }
  }

  close(error: Error | null = null): void {
    if (this.#closed) return
    this.#closed = { error }
    this.#values = []
    this.#wake()
    this.#onClose()
  }

  #wake(): void {
    this.#woken?.resolve()
    this.#woken = null
  }
}
