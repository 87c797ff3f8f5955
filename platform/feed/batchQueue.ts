import type { FeedBatch } from '../../projections/runner/ports.ts'

type Waiting = { readonly batch: FeedBatch; readonly owner: object; readonly settle: (isTaken: boolean) => void }

/**
 * The queue between the partitions of a subscriber, which put batches in, and the subscriber, which takes them out. A
 * partition waits until its batch is taken before it puts the next, so there are never more batches here than
 * partitions.
 */
export class BatchQueue {
  readonly #waiting: Waiting[] = []
  #arrived = Promise.withResolvers<void>()
  #isClosed = false
  #failure: { readonly error: unknown } | null = null

  /** Resolves with true when the batch is taken, and with false when it is discarded. */
  put(owner: object, batch: FeedBatch): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false)
    return new Promise((settle) => {
      this.#waiting.push({ batch, owner, settle })
      this.#arrived.resolve()
    })
  }

  /** Waits for the next batch; null when the queue is closed. Throws the error that the queue failed with. */
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

  /** Discards the batches of this owner that were not taken. */
  discard(owner: object): void {
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

  /** Closes the queue. The first error is thrown to the subscriber. */
  fail(error: unknown): void {
    if (!this.#isClosed) this.#failure ??= { error }
    this.close()
  }
}
