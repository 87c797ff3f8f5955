import { setImmediate as breath } from 'node:timers/promises'
import type { GeneratorState } from '../../../domain/generator/decider.ts'
import { Credits } from '../../../domain/matching/score.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import type { Runtime } from '../../platform/runtime.ts'
import type { BackgroundModels } from '../models/backgroundModels.ts'
import { planBatch, scoreBatch } from './batch.ts'
import { Changes } from './changes.ts'
import type { GeneratorStream, Known } from './generatorStream.ts'
import { Guesses } from './guesses.ts'
import { PairQueue } from './pairQueue.ts'
import { allPending, type PendingPair, pendingOf } from './pendingPairs.ts'
import { RunCounter } from './runFigures.ts'
import type { GeneratorFigures } from './sharedFigures.ts'

/** Pairs that are read ahead, in blocks of so many jobs and talents of one company. */
const MATCH_QUEUE_PAIRS_MAX = 100_000

export type RunParts = Pick<Runtime, 'engines' | 'clock' | 'log'> & {
  readonly name: string
  readonly models: BackgroundModels
  readonly stream: GeneratorStream
  /** What the stream was like when this process began to lead. */
  readonly known: Known
  /** Resolves when the scores up to there can be read. */
  readonly caughtUp: (to: Pick<Known, 'position'>) => Promise<void>
}

/** The work of the process that leads: reads what is to be scored, and scores it batch by batch. */
export class GeneratorRun {
  readonly #parts: RunParts
  readonly #queue = new PairQueue()
  readonly #guesses: Guesses
  readonly #changes: Changes
  #credits = new Credits()
  #status: GeneratorState['status'] = 'stopped'
  #startedAtMs = 0
  #counter: RunCounter
  #batch = 0
  #isInBatch = false
  /** The stream as of the last event that the queue takes into account. */
  #since: Known
  /** What is left of a look at everything; null: there is none to come. */
  #reading: AsyncGenerator<PendingPair[]> | null = null
  #change = new AbortController()

  constructor(parts: RunParts) {
    this.#parts = parts
    const { engines, clock, models, known } = parts
    this.#since = known
    this.#batch = known.state.batch
    this.#guesses = new Guesses(models)
    this.#counter = new RunCounter(clock.now())
    this.#changes = new Changes({ ...engines, clock, onChange: () => this.#change.abort() })
  }

  get isInBatch(): boolean {
    return this.#isInBatch
  }

  get isStarted(): boolean {
    return this.#status === 'running'
  }

  /** Listens to changes from now on. Resolves when it does; what it resolves to ends with the signal. */
  follow(signal: AbortSignal): Promise<{ readonly ended: Promise<void> }> {
    return this.#changes.follow(signal)
  }

  /** Started or stopped, as the stream says. A start counts from nothing, and looks at everything. */
  told(status: GeneratorState['status']): void {
    if (status === this.#status) return
    this.#status = status
    this.forget()
    if (status !== 'running') return
    this.#startedAtMs = this.#parts.clock.now()
    this.#counter = new RunCounter(this.#startedAtMs)
  }

  /** Somebody else has written: what was read may be done already. */
  lost(known: Known): void {
    this.#since = known
    this.#batch = known.state.batch
    this.forget()
    this.told(known.state.status)
  }

  /** Everything is looked at again. */
  forget(): void {
    this.#queue.clear()
    this.#reading = this.#status === 'running' ? allPending(this.#parts.engines.database) : null
  }

  hasWork(nowMs: number): boolean {
    return (
      this.isStarted &&
      (!this.#queue.isDrained || this.#reading !== null || this.#changes.any || this.restMs(nowMs) === 0)
    )
  }

  /** Until pairs that were tried in vain are due. */
  restMs(nowMs: number): number {
    const { retryAtMs } = this.#queue
    return retryAtMs === null || !this.isStarted ? Number.POSITIVE_INFINITY : Math.max(0, retryAtMs - nowMs)
  }

  /** Aborts when a job or a talent changes. */
  changed(): AbortSignal {
    if (this.#change.signal.aborted) this.#change = new AbortController()
    return this.#change.signal
  }

  /** One batch; false: there was nothing to do. Throws a Refusal when somebody else has written. */
  async batch(signal: AbortSignal): Promise<boolean> {
    const { models, stream, name, clock } = this.#parts
    this.#queue.retryDue(clock.now())
    if (this.#queue.isDrained) await this.#fill(signal)
    const { planned, putOff } = planBatch(this.#queue, {
      credits: this.#credits,
      canJudge: models.cooldownLeftMs('extract') === 0,
      isOutdated: ({ job, talent }) => this.#changes.touches(job.id, talent.id),
    })
    if (putOff > 0) this.#settle(true)
    if (planned.length === 0) return putOff > 0
    const beganAt = performance.now()
    const since = this.#since.state
    const begun = await stream.send({
      type: 'StartBatch',
      name,
      pairs: planned.length,
      since,
      at: isoTime(clock.now()),
    })
    this.#batch = begun.state.batch
    this.#isInBatch = true
    try {
      const { result, failed, hadJudgement, left } = await scoreBatch(models, planned)
      const at = isoTime(clock.now())
      const ended = await stream.send({ type: 'CompleteBatch', name, batch: this.#batch, result, at })
      this.#since = ended
      for (const pair of failed) this.#queue.defer(pair)
      for (const pair of left) this.#queue.putBack(pair)
      if (failed.length > 0) this.#settle(hadJudgement)
      const done = { processed: result.scores.length, errors: failed.length, nowMs: clock.now() }
      this.#counter.batch({ ...done, ms: performance.now() - beganAt })
      this.told(ended.state.status)
      if (!this.isStarted) this.#queue.clear()
      return true
    } finally {
      this.#isInBatch = false
    }
  }

  figures(nowMs: number): Omit<GeneratorFigures, 'breaker'> {
    const isActive = this.isStarted || this.#isInBatch
    return {
      ...this.#counter.read(nowMs),
      status: this.#isInBatch ? 'processing' : this.#status,
      uptimeSeconds: isActive ? Math.max(0, Math.round((nowMs - this.#startedAtMs) / 1000)) : 0,
      batch: this.#batch,
      queueSize: this.#queue.size,
    }
  }

  #settle(hadSuccess: boolean): void {
    this.#queue.settle({
      nowMs: this.#parts.clock.now(),
      cooldownMs: this.#parts.models.cooldownLeftMs('extract'),
      hadSuccess,
    })
  }

  /** Reads as many pairs ahead as the queue may have: first of what has changed, then of the rest of everything. */
  async #fill(signal: AbortSignal): Promise<void> {
    if (!this.#changes.any && !this.#reading) return
    await this.#parts.caughtUp(this.#since)
    const pending: PendingPair[] = []
    if (this.#changes.any) await this.#readChanges(pending)
    // Never both at once: a pair that has changed would be found twice.
    if (pending.length === 0) await this.#readOn(pending, signal)
    if (pending.length === 0) return
    this.#credits = new Credits()
    this.#queue.fill(await this.#guesses.order(pending))
  }

  async #readOn(pending: PendingPair[], signal: AbortSignal): Promise<void> {
    while (this.#reading && pending.length < MATCH_QUEUE_PAIRS_MAX && !signal.aborted) {
      const reading = this.#reading
      const { value, done } = await reading.next()
      if (!done) for (const pair of value) pending.push(pair)
      else if (this.#reading === reading) this.#reading = null
      await breath()
    }
  }

  async #readChanges(pending: PendingPair[]): Promise<void> {
    const changed = await this.#changes.handOver()
    if (changed === 'everything') return this.forget()
    if (!changed) return
    this.#queue.forget(changed)
    for await (const pairs of pendingOf(this.#parts.engines.database, changed)) {
      if (pending.length + pairs.length > 2 * MATCH_QUEUE_PAIRS_MAX) {
        // More than is read ahead: the look at everything finds the rest.
        this.#reading ??= allPending(this.#parts.engines.database)
        return
      }
      for (const pair of pairs) pending.push(pair)
    }
  }
}
