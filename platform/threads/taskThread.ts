import { type TransferListItem, Worker } from 'node:worker_threads'
import type { Clock } from '../clock/clock.ts'
import { settlesWithin } from '../clock/within.ts'

/** A thread's answer: `fault` says where its program threw an error, without the error's message. */
export type ThreadAnswer<Result> = { readonly result: Result } | { readonly fault: string }

const YOUNG_MB_MAX = 32

/** The thread took too long for a task or ended during it. The task is lost, with its buffers. */
export class TaskFailed extends Error {
  constructor(reason: string) {
    super(`a task of a thread failed: ${reason}`)
    this.name = 'TaskFailed'
  }
}

/** A thread that answers one task after the other. */
export class TaskThread<Task, Result> {
  readonly #worker: Worker
  readonly #clock: Clock
  /** The task in progress. Dropped once answered, because it may be large. */
  #running: PromiseWithResolvers<ThreadAnswer<Result>> | null = null
  #endedBecause: string | null = null

  constructor(program: URL, heapMbMax: number, clock: Clock) {
    this.#clock = clock
    this.#worker = new Worker(program, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax, maxYoungGenerationSizeMb: YOUNG_MB_MAX },
    })
    this.#worker.on('message', (answer: ThreadAnswer<Result>) => this.#running?.resolve(answer))
    this.#worker.on('error', (error) => this.#end(error.message))
    this.#worker.on('exit', (code) => this.#end(`it exited with ${code}`))
    // A thread that waits for a task does not keep the process alive.
    this.#worker.unref()
  }

  get isEnded(): boolean {
    return this.#endedBecause !== null
  }

  async run(task: Task, transfer: readonly TransferListItem[], msMax: number): Promise<Result> {
    if (this.#endedBecause !== null) throw new TaskFailed(this.#endedBecause)
    const running = Promise.withResolvers<ThreadAnswer<Result>>()
    this.#running = running
    try {
      this.#worker.postMessage(task, [...transfer])
      if (!(await settlesWithin(running.promise, msMax, this.#clock))) {
        await this.end()
        throw new TaskFailed(`it took longer than ${msMax} ms`)
      }
      const answer = await running.promise
      if ('fault' in answer) throw new TaskFailed(answer.fault)
      return answer.result
    } finally {
      this.#running = null
    }
  }

  async end(): Promise<void> {
    this.#end('it was ended')
    await this.#worker.terminate()
  }

  #end(reason: string): void {
    this.#endedBecause ??= reason
    this.#running?.reject(new TaskFailed(reason))
  }
}
