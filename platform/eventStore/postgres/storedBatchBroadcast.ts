import { BroadcastChannel } from 'node:worker_threads'
import type { Clock } from '../../clock/clock.ts'
import type { StoredColumns } from './batchColumns.ts'
import { ThrottledWork } from './throttledWork.ts'

/** The shortest time between two notifications of subscribers or threads about batches that this process stored. */
export const STORED_BATCHES_INTERVAL_MS = 50

/**
 * Sends the batches that this thread has stored to the other threads of the process, so that their live tails need not
 * read them from the database. Nothing depends on delivery: a batch that does not arrive is read.
 */
export class StoredBatchBroadcast {
  readonly #channel: BroadcastChannel
  #unsent: StoredColumns[] = []
  readonly #send: ThrottledWork

  constructor(databaseUrl: string, clock: Clock, onReceived: (stored: StoredColumns) => void) {
    this.#channel = new BroadcastChannel(`tollgate events of ${databaseUrl}`)
    this.#channel.onmessage = (message) => (message as { data: StoredColumns[] }).data.forEach(onReceived)
    this.#channel.unref()
    this.#send = new ThrottledWork(STORED_BATCHES_INTERVAL_MS, clock, () => {
      this.#channel.postMessage(this.#unsent)
      this.#unsent = []
    })
  }

  publish(stored: StoredColumns): void {
    this.#unsent.push(stored)
    this.#send.request()
  }

  close(): void {
    this.#send.cancel()
    this.#channel.close()
  }
}
