import { type TransferListItem, Worker } from 'node:worker_threads'
import type { Clock } from '../clock/clock.ts'
import { settlesWithin } from '../clock/within.ts'

/** What a thread answers: `fault` says where its program threw an error, without the error's message. */
export type ThreadAnswer<Result> = { readonly result: Result } | { readonly fault: string }

const YOUNG_MB_MAX = 32

/** The thread took too long for a task or ended during it. The task is lost, with the buffers it was given. */
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
  readonly #ended = Promise.withResolvers<never>()
  #isEnded = false

  constructor(program: URL, heapMbMax: number, clock: Clock) {
    this.#clock = clock
    this.#worker = new Worker(program, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax, maxYoungGenerationSizeMb: YOUNG_MB_MAX },
    })
    this.#ended.promise.catch(() => {})
    this.#worker.on('error', (error) => this.#end(error.message))
    this.#worker.on('exit', (code) => this.#end(`it exited with ${code}`))
    // A thread that waits for a task does not keep the process alive.
    this.#worker.unref()
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  async run(task: Task, transfer: readonly TransferListItem[], msMax: number): Promise<Result> {
    const { promise: answered, resolve } = Promise.withResolvers<ThreadAnswer<Result>>()
    this.#worker.once('message', resolve)
    this.#worker.postMessage(task, [...transfer])
    const outcome = Promise.race([answered, this.#ended.promise])
    if (!(await settlesWithin(outcome, msMax, this.#clock))) {
      await this.end()
      throw new TaskFailed(`it took longer than ${msMax} ms`)
    }
    const answer = await outcome
    if ('fault' in answer) throw new TaskFailed(answer.fault)
    return answer.result
  }

  async end(): Promise<void> {
    this.#end('it was ended')
    await this.#worker.terminate()
  }

  #end(reason: string): void {
    this.#isEnded = true
    this.#ended.reject(new TaskFailed(reason))
  }
}
