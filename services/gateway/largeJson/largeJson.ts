import type { Clock } from '../../platform/clock/clock.ts'
import { ThreadPool } from '../../platform/threads/threadPool.ts'
import { type InferenceRequest, inferenceRequest, type Refused, type RequestFacts } from '../wire/inferenceRequest.ts'

/** JSON of up to this size is parsed within milliseconds, whatever it contains. What is larger is read on a thread. */
export const SMALL_JSON_BYTES_MAX = 64 * 1024

export type LargeJsonTask = {
  readonly type: 'request'
  /** The endpoint whose fields are checked. */
  readonly endpoint: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

export type LargeJsonResult = {
  readonly read: RequestFacts | Refused
  /** The bytes of the task, handed back. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Reads large JSON on threads: the event loop only hands the bytes over and gets back what was found in them. */
export class LargeJson {
  readonly #threads: ThreadPool<LargeJsonTask, LargeJsonResult>

  constructor(clock: Clock) {
    this.#threads = new ThreadPool({ program: new URL('./largeJsonThread.ts', import.meta.url), clock })
  }

  /** As the endpoint's own function reads it. The body's memory is handed over, so the caller must not use it again. */
  async readRequest(endpoint: string, body: Buffer, companyId: string): Promise<InferenceRequest | Refused> {
    const bytes = ownMemory(body)
    const task = { type: 'request', endpoint, bytes } as const
    const { read, bytes: returned } = await this.#threads.run(task, { owner: companyId, transfer: [bytes.buffer] })
    return 'refused' in read ? read : inferenceRequest(read, asBuffer(returned))
  }

  close(): Promise<void> {
    return this.#threads.close()
  }
}

/** The bytes in memory that nothing else uses. A buffer that was joined from chunks has such memory already. */
function ownMemory(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const isAlone = bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.length
  return isAlone ? new Uint8Array(bytes.buffer as ArrayBuffer) : new Uint8Array(bytes)
}

export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
