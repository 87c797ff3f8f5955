import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { GeneratorStream, StreamSnapshot } from '../../../capabilities/generator/generatorStream.ts'
import type { GeneratorFigures } from '../../../capabilities/generator/publishedFigures.ts'
import { RunCounter } from '../../../capabilities/generator/runFigures.ts'
import type { Runtime } from '../../../capabilities/installation.ts'
import type { GeneratorState } from '../../../domain/generator/decider.ts'
import { Credits } from '../../../domain/matching/score.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { inSpan } from '../../../platform/tracing/activeSpan.ts'
import type { Tracing } from '../../../platform/tracing/port.ts'
import type { BackgroundModels } from '../models/backgroundModels.ts'
import { planBatch, scoreBatch } from './batch.ts'
import { Changes } from './changes.ts'
import { PairQueue } from './pairQueue.ts'
import { PairRanking } from './pairRanking.ts'
import { allPending, type PendingPair, pendingOf } from './pendingPairs.ts'

/** Pairs that are read ahead into the queue. */
const MATCH_QUEUE_PAIRS_MAX = 100_000

export type RunOptions = Pick<Runtime, 'engines' | 'clock' | 'log'> & {
  readonly name: string
  readonly models: BackgroundModels
  readonly tracing?: Tracing | null | undefined
  readonly stream: GeneratorStream
  /** The stream when this process became the leader. */
  readonly snapshot: StreamSnapshot
  /** Resolves when the read model shows all scores up to the position. */
  readonly caughtUp: (to: Pick<StreamSnapshot, 'position'>) => Promise<void>
}

/** The work of the process that holds the lease: reads the pairs to score, and scores them batch by batch. */
export class GeneratorRun {
  readonly #options: RunOptions
  readonly #queue = new PairQueue()
  readonly #ranking: PairRanking
  readonly #changes: Changes
  #credits = new Credits()
  #status: GeneratorState['status'] = 'stopped'
  #startedAtMs = 0
  #counter: RunCounter
  #batch = 0
  #isInBatch = false
  /** The stream up to the last event that the queue takes into account. */
  #since: StreamSnapshot
  /** The scan of all pairs, as far as it is left; null if it is complete. */
  #scan: AsyncGenerator<PendingPair[]> | null = null
  #change = new AbortController()

  constructor(options: RunOptions) {
    this.#options = options
    const { engines, clock, models, snapshot } = options
    this.#since = snapshot
    this.#batch = snapshot.state.batch
    this.#ranking = new PairRanking(models)
    this.#counter = new RunCounter(clock.now())
    this.#changes = new Changes({ ...engines, clock, onChange: () => this.#change.abort() })
  }

  get isInBatch(): boolean {
    return this.#isInBatch
  }

  get isStarted(): boolean {
    return this.#status === 'running'
  }

  /** Follows changes of jobs and talents. Resolves when it does; `ended` settles after the signal aborts. */
  follow(signal: AbortSignal): Promise<{ readonly ended: Promise<void> }> {
    return this.#changes.follow(signal)
  }

  /** Applies the status in the stream. A start resets the figures and scans all pairs. */
  setStatus(status: GeneratorState['status']): void {
    if (status === this.#status) return
    this.#status = status
    this.rescan()
    if (status !== 'running') return
    this.#startedAtMs = this.#options.clock.now()
    this.#counter = new RunCounter(this.#startedAtMs)
  }

  /** Starts over from this snapshot, because another process has written: pairs in the queue may be scored already. */
  resetTo(snapshot: StreamSnapshot): void {
    this.#since = snapshot
    this.#batch = snapshot.state.batch
    this.rescan()
    this.setStatus(snapshot.state.status)
  }

  /** Empties the queue and scans all pairs again. */
  rescan(): void {
    this.#queue.clear()
    this.#scan = this.#status === 'running' ? allPending(this.#options.engines.database) : null
  }

  hasWork(nowMs: number): boolean {
    return (
      this.isStarted &&
      (!this.#queue.isDrained || this.#scan !== null || this.#changes.any || this.retryInMs(nowMs) === 0)
    )
  }

  /** Time until deferred pairs are due; infinite if there are none. */
  retryInMs(nowMs: number): number {
    const { retryAtMs } = this.#queue
    return retryAtMs === null || !this.isStarted ? Number.POSITIVE_INFINITY : Math.max(0, retryAtMs - nowMs)
  }

  /** A signal that aborts at the next change of a job or a talent. */
  changeSignal(): AbortSignal {
    if (this.#change.signal.aborted) this.#change = new AbortController()
    return this.#change.signal
  }

  /** Scores one batch; false if there was nothing to do. Throws a Refusal if another process has written. */
  async batch(signal: AbortSignal): Promise<boolean> {
    const { models, stream, name, clock } = this.#options
    this.#queue.retryDue(clock.now())
    if (this.#queue.isDrained) await this.#fill(signal)
    const { planned, deferred } = planBatch(this.#queue, {
      credits: this.#credits,
      canJudge: models.cooldownLeftMs('extract') === 0,
      isOutdated: ({ job, talent }) => this.#changes.touches(job.id, talent.id),
    })
    if (deferred > 0) this.#scheduleRetry(true)
    if (planned.length === 0) return deferred > 0
    const beganAt = clock.monotonicMs()
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
      const { result, failed, rejected, hadJudgement, left } = await inSpan(
        this.#options.tracing,
        'score batch',
        { attributes: { 'tollgate.pairs': planned.length } },
        () => scoreBatch(models, planned),
      )
      const at = isoTime(clock.now())
      const ended = await stream.send({ type: 'CompleteBatch', name, batch: this.#batch, result, at })
      this.#since = ended
      const unscored = [...failed, ...rejected]
      for (const pair of unscored) this.#queue.defer(pair)
      for (const pair of left) this.#queue.putBack(pair)
      if (unscored.length > 0) this.#scheduleRetry(hadJudgement)
      const done = { processed: result.scores.length, errors: failed.length, nowMs: clock.now() }
      this.#counter.batch({ ...done, ms: clock.monotonicMs() - beganAt })
      this.setStatus(ended.state.status)
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

  #scheduleRetry(hadSuccess: boolean): void {
    this.#queue.scheduleRetry({
      nowMs: this.#options.clock.now(),
      cooldownMs: this.#options.models.cooldownLeftMs('extract'),
      hadSuccess,
    })
  }

  /** Fills the queue: with changed pairs if there are any, otherwise with the next pairs of the scan. */
  async #fill(signal: AbortSignal): Promise<void> {
    if (!this.#changes.any && !this.#scan) return
    await this.#options.caughtUp(this.#since)
    const pending: PendingPair[] = []
    if (this.#changes.any) await this.#readChanges(pending)
    // Never both at once: a changed pair would be found twice.
    if (pending.length === 0) await this.#readScan(pending, signal)
    if (pending.length === 0) return
    this.#credits = new Credits()
    this.#queue.fill(await this.#ranking.order(pending))
  }

  async #readScan(pending: PendingPair[], signal: AbortSignal): Promise<void> {
    while (this.#scan && pending.length < MATCH_QUEUE_PAIRS_MAX && !signal.aborted) {
      const scan = this.#scan
      const { value, done } = await scan.next()
      if (!done) for (const pair of value) pending.push(pair)
      else if (this.#scan === scan) this.#scan = null
      await yieldToEventLoop()
    }
  }

  async #readChanges(pending: PendingPair[]): Promise<void> {
    const changed = await this.#changes.takeVisible()
    if (changed === 'everything') return this.rescan()
    if (!changed) return
    this.#queue.forget(changed)
    for await (const pairs of pendingOf(this.#options.engines.database, changed)) {
      if (pending.length + pairs.length > 2 * MATCH_QUEUE_PAIRS_MAX) {
        // Too many for the queue: a scan of all pairs finds the rest.
        this.#scan ??= allPending(this.#options.engines.database)
        return
      }
      for (const pair of pairs) pending.push(pair)
    }
  }
}
