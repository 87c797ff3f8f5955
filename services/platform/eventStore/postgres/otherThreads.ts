import { BroadcastChannel } from 'node:worker_threads'
import type { StoredColumns } from './batchColumns.ts'
import { Paced } from './paced.ts'

/** How often, at most, a process that stores one batch after the other tells its subscribers. */
export const OFFERED_GATHER_MS = 10

/**
 * What one thread of this process has stored, told to its other threads, whose live tails then need not ask the database
 * for it. Nothing depends on it: what is not heard is read.
 */
export class OtherThreads {
  readonly #channel: BroadcastChannel
  #untold: StoredColumns[] = []
  readonly #post = new Paced(OFFERED_GATHER_MS, () => {
    this.#channel.postMessage(this.#untold)
    this.#untold = []
  })

  constructor(databaseUrl: string, heard: (stored: StoredColumns) => void) {
    this.#channel = new BroadcastChannel(`tollgate events of ${databaseUrl}`)
    this.#channel.onmessage = (message) => (message as { data: StoredColumns[] }).data.forEach(heard)
    this.#channel.unref()
  }

  tell(stored: StoredColumns): void {
    this.#untold.push(stored)
    this.#post.soon()
  }

  close(): void {
    this.#post.stop()
    this.#channel.close()
  }
}
