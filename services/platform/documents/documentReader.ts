import { Worker } from 'node:worker_threads'
import type { Clock } from '../clock/clock.ts'
import type { DocumentKind } from './documentKind.ts'
import type { DocumentResult, DocumentTask } from './documentThread.ts'
import { readPlainText } from './plainText.ts'
import { ReadersBusy, Unreadable } from './unreadable.ts'

/** Limits of the thread that reads one document: time, heap, and memory outside the heap. */
const DOCUMENT_READ_MS = 10_000
const DOCUMENT_HEAP_MB_MAX = 256
const DOCUMENT_BUFFERS_BYTES_MAX = 256 * 1024 * 1024
const DOCUMENT_THREADS_MAX = 2
const DOCUMENTS_WAITING_MAX = 32

export type ReaderLimits = {
  readonly threadsMax: number
  readonly waitingMax: number
  readonly readMs: number
  readonly heapMbMax: number
  readonly buffersBytesMax: number
}

const DEFAULT_LIMITS: ReaderLimits = {
  threadsMax: DOCUMENT_THREADS_MAX,
  waitingMax: DOCUMENTS_WAITING_MAX,
  readMs: DOCUMENT_READ_MS,
  heapMbMax: DOCUMENT_HEAP_MB_MAX,
  buffersBytesMax: DOCUMENT_BUFFERS_BYTES_MAX,
}
const THREAD = new URL('./documentThread.ts', import.meta.url)
const MEMORY_CHECK_MS = 50
const TOO_MUCH = 'The file takes too much time or memory to read.'

/**
 * Reads each document in its own thread, within limits of time and memory, so that a hostile file cannot block or crash
 * the service.
 */
export class DocumentReader {
  readonly #clock: Clock
  readonly #limits: ReaderLimits
  readonly #thread: URL
  readonly #waiting: (() => void)[] = []
  #reading = 0

  constructor(clock: Clock, limits: Partial<ReaderLimits> = {}, thread = THREAD) {
    this.#clock = clock
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
    this.#thread = thread
  }

  /** The text of a document. Throws Unreadable with the reason if there is none. */
  async read(kind: DocumentKind, bytes: Buffer): Promise<string> {
    return kind === 'txt' ? readPlainText(bytes) : this.#inTurn({ kind, bytes: new Uint8Array(bytes) })
  }

  async #inTurn(task: DocumentTask): Promise<string> {
    const { threadsMax, waitingMax } = this.#limits
    if (this.#reading >= threadsMax) {
      if (this.#waiting.length >= waitingMax) throw new ReadersBusy()
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else {
      this.#reading++
    }
    try {
      return await this.#inThread(task)
    } finally {
      // The place passes straight to the next in the queue, so that no newcomer can take it.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#reading--
    }
  }

  async #inThread(task: DocumentTask): Promise<string> {
    const { readMs, heapMbMax, buffersBytesMax } = this.#limits
    const thread = new Worker(this.#thread, {
      workerData: task,
      transferList: [task.bytes.buffer as ArrayBuffer],
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax, maxYoungGenerationSizeMb: 32 },
      // A hostile file must see no settings, and what a library prints about it must not reach our log.
      env: {},
      stdout: true,
      stderr: true,
    })
    thread.stdout.resume()
    thread.stderr.resume()
    const done = Promise.withResolvers<DocumentResult>()
    thread.once('message', done.resolve)
    thread.once('error', (error: NodeJS.ErrnoException) => {
      done.reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new Unreadable(TOO_MUCH) : error)
    })
    thread.once('exit', () => done.reject(new Error('the thread that reads a document exited without a result')))
    const timeLimit = this.#clock.after(readMs, () => done.reject(new Unreadable(TOO_MUCH)))
    // Node limits only the heap of a thread, so memory outside it, such as unpacked streams, is checked here.
    const memoryCheck = this.#clock.every(MEMORY_CHECK_MS, async () => {
      const statistics = await thread.getHeapStatistics().catch(() => null)
      if ((statistics?.external_memory ?? 0) > buffersBytesMax) done.reject(new Unreadable(TOO_MUCH))
    })
    try {
      const result = await done.promise
      if ('unreadable' in result) throw new Unreadable(result.unreadable)
      return result.text
    } finally {
      timeLimit.cancel()
      memoryCheck.cancel()
      await thread.terminate()
    }
  }
}
