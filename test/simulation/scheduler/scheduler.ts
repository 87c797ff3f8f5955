import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { failRun, failUncaught, isRunning } from './failures.ts'
import type { Lane } from './lane.ts'
import { Random } from './random.ts'
import { realTurn } from './realTime.ts'
import { RealWork } from './realWork.ts'
import type { SimulatedProcess } from './simulatedProcess.ts'

/** What runs next is decided by its time, and times are drawn from the seed. */
export type Step = {
  /** Later than it was scheduled for if its process is paused. */
  atMs: number
  readonly number: number
  readonly owner: SimulatedProcess | null
  readonly label: string
  /** The context in which it was scheduled. */
  readonly context: AsyncResource
  readonly run: () => void
  isCanceled: boolean
}

type ExternalWork = { isDone: boolean; deliver: () => void }

export type StepOptions = {
  readonly owner: SimulatedProcess | null
  readonly label: string
  readonly delayMs: number
  readonly lane?: Lane
}

const EPSILON_MS = 1e-6
const TRACE_STEPS_MAX = 200
const FACTS_LENGTH_MAX = 16_384
const REAL_WORK_EVERY_STEPS = 1_000

export class Scheduler {
  readonly random: Random
  readonly processes = new AsyncLocalStorage<SimulatedProcess>()
  steps = 0
  onStep: ((line: string) => void) | null = null
  #nowMs: number
  readonly #startMs: number
  #numbers = 0
  readonly #heap: Step[] = []
  readonly #hash = createHash('sha256')
  /** Facts that are not in the hash yet. */
  #facts = ''
  readonly #trace: { readonly atMs: number; readonly fact: string }[] = []
  /** Work that ends in real order: the next step waits for all of it. */
  readonly #external: ExternalWork[] = []
  #externalDone: () => void = () => {}
  readonly #realWork = new RealWork()

  constructor(seed: number, startMs: number) {
    this.random = new Random(seed)
    this.#startMs = startMs
    this.#nowMs = startMs
  }

  /** The true time, in milliseconds since 1970. */
  get nowMs(): number {
    return this.#nowMs
  }

  get elapsedMs(): number {
    return this.#nowMs - this.#startMs
  }

  schedule({ owner, label, delayMs, lane }: StepOptions, run: () => void): Step {
    let atMs = this.#nowMs + Math.max(0, delayMs) + this.random.fraction() * 1e-3
    if (lane) {
      atMs = Math.max(atMs, lane.lastMs + EPSILON_MS)
      lane.lastMs = atMs
    }
    this.#numbers += 1
    const step: Step = {
      atMs,
      number: this.#numbers,
      owner,
      label,
      context: new AsyncResource('Step'),
      run,
      isCanceled: false,
    }
    this.#push(step)
    return step
  }

  /** Adds a fact to the hash and the trace of the run. */
  record(fact: string): void {
    this.#facts += `${fact}\n`
    if (this.#facts.length > FACTS_LENGTH_MAX) this.#hashFacts()
    const recorded = { atMs: this.elapsedMs, fact }
    this.#trace.push(recorded)
    if (this.#trace.length > 2 * TRACE_STEPS_MAX) this.#trace.splice(0, TRACE_STEPS_MAX)
    this.onStep?.(lineOf(recorded))
  }

  /** The last facts, the newest at the end. */
  get trace(): string[] {
    return this.#trace.map(lineOf)
  }

  #hashFacts(): void {
    this.#hash.update(this.#facts)
    this.#facts = ''
  }

  digest(): string {
    this.#hashFacts()
    return this.#hash.copy().digest('hex').slice(0, 32)
  }

  /** The result of real work, delivered as a step. Results that were awaited together are scheduled in the order of the requests. */
  external<Result>(label: string, work: Promise<Result>): Promise<Result> {
    const owner = this.processes.getStore() ?? null
    return new Promise((resolve, reject) => {
      const waiting: ExternalWork = { isDone: false, deliver: () => {} }
      this.#external.push(waiting)
      const done = (end: () => void) => {
        waiting.isDone = true
        waiting.deliver = AsyncLocalStorage.bind(() => void this.schedule({ owner, label, delayMs: 0 }, end))
        this.#externalDone()
      }
      work.then(
        (result) => done(() => resolve(result)),
        (error: unknown) => done(() => reject(error)),
      )
    })
  }

  async #awaitExternal(): Promise<void> {
    while (this.#external.some(({ isDone }) => !isDone)) {
      await new Promise<void>((resolve) => {
        this.#externalDone = resolve
      })
    }
    for (const { deliver } of this.#external.splice(0)) deliver()
  }

  /** Runs steps until the condition holds. Everything that a step sets off ends before the next one begins. */
  async runUntil(condition: () => boolean): Promise<void> {
    for (;;) {
      await realTurn()
      if (this.#external.length > 0) await this.#awaitExternal()
      if (condition()) return
      const step = this.#pop()
      if (step === null) throw new Error('nothing is scheduled any more, and the condition does not hold')
      if (step.isCanceled || step.owner?.isDead) continue
      if (step.owner && step.owner.pausedUntilMs > step.atMs) {
        step.atMs = step.owner.pausedUntilMs + EPSILON_MS * step.number
        this.#push(step)
        continue
      }
      this.#nowMs = Math.max(this.#nowMs, step.atMs)
      this.steps += 1
      if (this.steps % REAL_WORK_EVERY_STEPS === 0) this.#refuseRealWork()
      this.record(`${step.owner?.name ?? '-'} ${step.label}`)
      this.#run(step)
    }
  }

  #refuseRealWork(): void {
    const unknown = this.#realWork.unknown()
    if (unknown !== null) failRun(`the real event loop has work that the run did not ask for: ${unknown}`)
  }

  #run({ owner, context, run }: Step): void {
    try {
      context.runInAsyncScope(run)
    } catch (error) {
      if (!isRunning()) throw error
      failUncaught(owner, 'uncaughtException', error)
    }
  }

  #push(step: Step): void {
    const heap = this.#heap
    heap.push(step)
    let at = heap.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(heap[at] as Step, heap[parent] as Step)) break
      ;[heap[at], heap[parent]] = [heap[parent] as Step, heap[at] as Step]
      at = parent
    }
  }

  #pop(): Step | null {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined) return null
    if (heap.length === 0) return first
    heap[0] = last
    let at = 0
    for (;;) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && isBefore(heap[child] as Step, heap[least] as Step)) least = child
      }
      if (least === at) return first
      ;[heap[at], heap[least]] = [heap[least] as Step, heap[at] as Step]
      at = least
    }
  }
}

const lineOf = ({ atMs, fact }: { readonly atMs: number; readonly fact: string }): string =>
  `${atMs.toFixed(3)} ${fact}`

const isBefore = (a: Step, b: Step): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.number < b.number)
