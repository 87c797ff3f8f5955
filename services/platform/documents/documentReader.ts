import { Worker } from 'node:worker_threads'
import type { DocumentKind } from './documentKind.ts'
import type { DocumentResult, DocumentTask } from './documentThread.ts'
import { readPlainText } from './plainText.ts'
import { ReadersBusy, Unreadable } from './unreadable.ts'

/** Documents are read in threads of their own, each within this time, heap and memory beside the heap. */
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

const LIMITS_OF_THREADS: ReaderLimits = {
  threadsMax: DOCUMENT_THREADS_MAX,
  waitingMax: DOCUMENTS_WAITING_MAX,
  readMs: DOCUMENT_READ_MS,
  heapMbMax: DOCUMENT_HEAP_MB_MAX,
  buffersBytesMax: DOCUMENT_BUFFERS_BYTES_MAX,
}
const THREAD = new URL('./documentThread.ts', import.meta.url)
const WATCH_MS = 50
const TOO_MUCH = 'The file takes too much to read.'

/**
 * Reads documents off the event loop, each in a thread of its own: a hostile file costs its own thread, within a time
 * and a memory, and never the service's.
 */
export class DocumentReader {
  readonly #limits: ReaderLimits
  readonly #thread: URL
  readonly #waiting: (() => void)[] = []
  #reading = 0

  constructor(limits: Partial<ReaderLimits> = {}, thread = THREAD) {
    this.#limits = { ...LIMITS_OF_THREADS, ...limits }
    this.#thread = thread
  }

  /** The text of a document; Unreadable with the reason where it gives none. */
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
      // The place passes straight to the next one, so that nobody slips in between.
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
      // A stranger's file has no business with our settings, nor what a library prints about it with our log.
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
    thread.once('exit', () => done.reject(new Error('the thread that read a document ended without a word')))
    const timeIsUp = setTimeout(() => done.reject(new Unreadable(TOO_MUCH)), readMs)
    // The limits of a thread hold for its heap; what lies beside it, as unpacked streams do, is watched.
    const watch = setInterval(async () => {
      const statistics = await thread.getHeapStatistics().catch(() => null)
      if ((statistics?.external_memory ?? 0) > buffersBytesMax) done.reject(new Unreadable(TOO_MUCH))
    }, WATCH_MS)
    try {
      const result = await done.promise
      if ('unreadable' in result) throw new Unreadable(result.unreadable)
      return result.text
    } finally {
      clearTimeout(timeIsUp)
      clearInterval(watch)
      await thread.terminate()
    }
  }
}
