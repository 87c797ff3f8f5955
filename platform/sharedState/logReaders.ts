import type { LogEntry } from './logEntry.ts'
import type { LogDelivery, LogSubscription } from './port.ts'

export const LOG_READERS_MAX = 100
export const LOG_ENTRIES_PER_READER_MAX = 1_000

/** The log readers of one process, each with its own queue. */
export class LogReaders {
  readonly #readers = new Set<LogReader>()

  get size(): number {
    return this.#readers.size
  }

  /** `onClose` is called once, after the reader was removed. */
  open(onClose: () => void = () => {}): LogSubscription {
    if (this.#readers.size >= LOG_READERS_MAX) {
      throw new Error(`the log already has ${this.#readers.size} readers, which is the limit: close one first`)
    }
    const reader = new LogReader(() => {
      this.#readers.delete(reader)
      onClose()
    })
    this.#readers.add(reader)
    return reader
  }

  /** `lostBefore`: the number of entries that never reached this process. */
  deliver(entry: LogEntry, lostBefore = 0): void {
    for (const reader of this.#readers) reader.push(entry, lostBefore)
  }

  close(): void {
    for (const reader of this.#readers) reader.close()
  }
}

type Waiting = { readonly entry: LogEntry; lostBefore: number }

/** A full queue drops its oldest entry, because readers of a log want to see what is happening now. */
class LogReader implements LogSubscription {
  readonly #queue: Waiting[] = []
  readonly #onClose: () => void
  #isClosed = false
  #woken: PromiseWithResolvers<void> | null = null

  constructor(onClose: () => void) {
    this.#onClose = onClose
  }

  push(entry: LogEntry, lostBefore: number): void {
    const waiting = { entry, lostBefore }
    this.#queue.push(waiting)
    if (this.#queue.length > LOG_ENTRIES_PER_READER_MAX) {
      const lost = this.#queue.shift()
      const first = this.#queue[0]
      if (lost && first) first.lostBefore += lost.lostBefore + 1
    }
    this.#wake()
  }

  async next(): Promise<IteratorResult<LogDelivery, undefined>> {
    while (!this.#isClosed) {
      const value = this.#queue.shift()
      if (value) return { done: false, value }
      this.#woken ??= Promise.withResolvers<void>()
      await this.#woken.promise
    }
    return { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<LogDelivery, undefined>> {
    this.close()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): LogSubscription {
    return this
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#queue.length = 0
    this.#wake()
    this.#onClose()
  }

  #wake(): void {
    this.#woken?.resolve()
    this.#woken = null
  }
}
