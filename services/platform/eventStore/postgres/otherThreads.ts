import { BroadcastChannel } from 'node:worker_threads'
import type { StoredColumns } from './batchColumns.ts'

/**
 * What one thread of this process has stored, told to its other threads, whose live tails then need not ask the database
 * for it. Nothing depends on it: what is not heard is read.
 */
export class OtherThreads {
  readonly #channel: BroadcastChannel

  constructor(databaseUrl: string, heard: (stored: StoredColumns) => void) {
    this.#channel = new BroadcastChannel(`tollgate events of ${databaseUrl}`)
    this.#channel.onmessage = (message) => heard((message as { data: StoredColumns }).data)
    this.#channel.unref()
  }

  tell(stored: StoredColumns): void {
    this.#channel.postMessage(stored)
  }

  close(): void {
    this.#channel.close()
  }
}
