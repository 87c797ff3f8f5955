import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { TransparencyBounds } from './bounds.ts'
import type { AuditedPart, LedgerPart } from './part.ts'
import type { PartsOptions } from './parts.ts'

export type PartTask = { readonly id: number; readonly part: LedgerPart; readonly bounds: TransparencyBounds }
export type PartAnswer =
  | { readonly id: number; readonly audited: AuditedPart | null }
  | { readonly id: number; readonly error: Error }

/** A thread computes one part while the database reads for another. */
const PARTS_PER_THREAD = 2
/** More would only wait for the database. */
const THREADS_MAX = 16
const PART_ENTRIES = 10_000
/** A shorter log is audited before the threads have even started. */
const ENTRIES_MIN = 40_000

/** Threads that audit parts of ledgers, each with its own connections to the engines. They start on demand. */
export class PartThreads {
  readonly #databaseUrl: string
  readonly #threadsMax: number
  readonly #workers: Worker[] = []
  /** Contains a thread once for each part that it can take. */
  readonly #free: Worker[] = []
  readonly #waiting: PartTask[] = []
  readonly #answers = new Map<number, PromiseWithResolvers<AuditedPart | null>>()
  #lastId = 0
  #failure: Error | null = null

  constructor(databaseUrl: string, threadsMax = Math.min(availableParallelism(), THREADS_MAX)) {
    this.#databaseUrl = databaseUrl
    this.#threadsMax = threadsMax
  }

  get options(): PartsOptions {
    return {
      sealedEntriesMin: ENTRIES_MIN,
      entries: PART_ENTRIES,
      companiesAtOnce: this.#threadsMax * PARTS_PER_THREAD,
      audit: (part, bounds) => this.audit(part, bounds),
    }
  }

  /** null if something in the part is wrong. */
  audit(part: LedgerPart, bounds: TransparencyBounds): Promise<AuditedPart | null> {
    if (this.#failure) return Promise.reject(this.#failure)
    const id = ++this.#lastId
    const answer = Promise.withResolvers<AuditedPart | null>()
    this.#answers.set(id, answer)
    this.#waiting.push({ id, part, bounds })
    if (this.#free.length === 0 && this.#workers.length < this.#threadsMax) this.#start()
    this.#hand(this.#free.shift())
    return answer.promise
  }

  async close(): Promise<void> {
    this.#fail(new Error('the threads of the audit were closed'))
    await Promise.all(this.#workers.map((worker) => worker.terminate()))
  }

  #start(): void {
    const program = new URL('./partThread.ts', import.meta.url)
    const worker = new Worker(program, { workerData: { databaseUrl: this.#databaseUrl } })
    worker.on('message', (answer: PartAnswer) => {
      const pending = this.#answers.get(answer.id)
      this.#answers.delete(answer.id)
      if ('error' in answer) pending?.reject(answer.error)
      else pending?.resolve(answer.audited)
      this.#hand(worker)
    })
    worker.on('error', (error) => this.#fail(error as Error))
    worker.on('exit', (code) => this.#fail(new Error(`a thread of the audit exited with ${code}`)))
    this.#workers.push(worker)
    for (let nth = 0; nth < PARTS_PER_THREAD; nth += 1) this.#free.push(worker)
  }

  /** Gives the next part to a thread that can take one. */
  #hand(worker: Worker | undefined): void {
    if (!worker) return
    const task = this.#waiting.shift()
    if (task) worker.postMessage(task)
    else this.#free.push(worker)
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#answers.values()) reject(this.#failure)
    this.#answers.clear()
    this.#waiting.length = 0
  }
}
