import type { FeedBatch } from '../../../projections/runner/ports.ts'

type Waiting = { readonly batch: FeedBatch; readonly owner: object; readonly settle: (isTaken: boolean) => void }

/**
 * Where many who bring batches meet one who takes them. Each waits until its batch is taken, so that there are never
 * more of them here than there are partitions.
 */
export class Handover {
  readonly #waiting: Waiting[] = []
  #arrived = Promise.withResolvers<void>()
  #isClosed = false
  #failure: { readonly error: unknown } | null = null

  /** Resolves when the batch is taken, or, with false, when its owner was dismissed. */
  give(owner: object, batch: FeedBatch): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false)
    return new Promise((settle) => {
      this.#waiting.push({ batch, owner, settle })
      this.#arrived.resolve()
    })
  }

  /** The next batch; null when it is closed. Throws what it was closed with. */
  async take(): Promise<FeedBatch | null> {
    for (;;) {
      if (this.#failure) throw this.#failure.error
      if (this.#isClosed) return null
      const next = this.#waiting.shift()
      if (next) {
        next.settle(true)
        return next.batch
      }
      this.#arrived = Promise.withResolvers()
      await this.#arrived.promise
    }
  }

  /** What it has brought and nobody has taken is thrown away. */
  dismiss(owner: object): void {
    for (const waiting of this.#waiting.filter((one) => one.owner === owner)) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      waiting.settle(false)
    }
  }

  close(): void {
    this.#isClosed = true
    for (const { settle } of this.#waiting.splice(0)) settle(false)
    this.#arrived.resolve()
  }

  fail(error: unknown): void {
    if (!this.#isClosed) this.#failure ??= { error }
    this.close()
  }
}
