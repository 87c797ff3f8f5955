import { hostname } from 'node:os'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { GeneratorStream, MATCH_SCORES, type StreamSnapshot } from '../../../capabilities/generator/generatorStream.ts'
import {
  type GeneratorFigures,
  publishFigures,
  readPublishedFigures,
} from '../../../capabilities/generator/publishedFigures.ts'
import { RunCounter } from '../../../capabilities/generator/runFigures.ts'
import type { Runtime } from '../../../capabilities/installation.ts'
import { Refusal } from '../../../domain/decider.ts'
import { worstState } from '../../../platform/circuitBreaker/circuitBreaker.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { settlesWithin } from '../../../platform/clock/within.ts'
import { LEASE_RENEWAL_MS } from '../../../platform/leases/leases.ts'
import { type Leadership, whileLeading } from '../../../platform/leases/whileLeading.ts'
import { matchScores } from '../../../projections/matchScores/projection.ts'
import { hasPassed } from '../../../projections/runner/readAfterWrite.ts'
import type { BackgroundModels } from '../models/backgroundModels.ts'
import { GeneratorRun } from './generatorRun.ts'

/** How often an idle generator checks whether it was started or stopped. */
const GENERATOR_POLL_MS = 500
const GENERATOR_LEASE_MS = 5_000

export type GeneratorOptions = Pick<Runtime, 'engines' | 'clock' | 'ids' | 'log'> & {
  readonly tracing?: Runtime['tracing']
  readonly models: BackgroundModels
  readonly leaseMs?: number
}

const LEASE = 'match-score-generator'
const PUBLISH_MS = 1_000
/** A failure older than this no longer makes the generator degraded. */
const FAILURE_SHOWN_MS = 10_000

/**
 * Scores every pair of an active job and a talent. It is started and stopped by events, so it continues after a crash. A
 * lease makes sure that only one of several AI services runs it.
 */
export class MatchScoreGenerator {
  readonly #options: GeneratorOptions
  readonly #stream: GeneratorStream
  readonly #stopping = new AbortController()
  readonly #leading: Promise<void>
  #run: GeneratorRun | null = null
  #wake: () => void = () => {}
  #failure: { readonly message: string; readonly atMs: number } | null = null

  constructor(options: GeneratorOptions) {
    this.#options = options
    const { engines, clock, ids, log, leaseMs = GENERATOR_LEASE_MS } = options
    this.#stream = new GeneratorStream(MATCH_SCORES, { store: engines.store, clock, ids })
    this.#leading = whileLeading(
      {
        database: engines.database,
        clock,
        name: LEASE,
        holder: `${hostname()} ${process.pid} ${ids.uuid().slice(0, 8)}`,
        ttlMs: leaseMs,
        renewalMs: Math.min(LEASE_RENEWAL_MS, leaseMs / 3),
        onTrouble: (error) => {
          this.#failure = { message: (error as Error).message, atMs: clock.now() }
          log.warn({ err: error }, 'match-score generator failed and will retry')
        },
      },
      (leadership) => this.#lead(leadership),
      this.#stopping.signal,
    )
  }

  /** The error message of a recent failure; null if there is none. */
  get failure(): string | null {
    if (!this.#failure || this.#options.clock.now() - this.#failure.atMs > FAILURE_SHOWN_MS) return null
    return this.#failure.message
  }

  get isProcessing(): boolean {
    return this.#run?.isInBatch ?? false
  }

  async start(): Promise<GeneratorFigures> {
    return this.#command('StartGenerator')
  }

  /** Stops after the current batch. */
  async stop(): Promise<GeneratorFigures> {
    return this.#command('StopGenerator')
  }

  /** The figures of the process that runs the generator, which may be another one. */
  async figures(): Promise<GeneratorFigures> {
    if (this.#run) return this.#figuresOf(this.#run)
    const published = await readPublishedFigures(this.#options.engines.database, MATCH_SCORES)
    return published ?? this.#idleFigures(await this.#stream.read())
  }

  /** Finishes the current batch. The next process continues with the next batch. */
  async drain(timeoutMs: number): Promise<void> {
    this.#stopping.abort()
    this.#wake()
    await settlesWithin(this.#leading, timeoutMs, this.#options.clock)
  }

  async #command(type: 'StartGenerator' | 'StopGenerator'): Promise<GeneratorFigures> {
    const { engines, clock, ids } = this.#options
    // Uses its own view of the stream, because the run may be appending with the other one.
    const stream = new GeneratorStream(MATCH_SCORES, { store: engines.store, clock, ids })
    const { state } = await stream.send({ type, name: MATCH_SCORES, at: isoTime(clock.now()) })
    this.#run?.setStatus(state.status)
    this.#wake()
    const figures = await this.figures()
    return figures.status === 'processing' ? figures : { ...figures, status: state.status }
  }

  async #lead({ epoch, signal }: Leadership): Promise<void> {
    const { engines, clock, models, log, tracing } = this.#options
    const ending = new AbortController()
    const ended = AbortSignal.any([signal, ending.signal])
    const snapshot = await this.#stream.read()
    await this.#untilVisible(snapshot, signal)
    const run = new GeneratorRun({
      name: MATCH_SCORES,
      engines,
      clock,
      models,
      log,
      tracing,
      stream: this.#stream,
      snapshot,
      caughtUp: async (to) => this.#untilVisible(to, ended),
    })
    const { ended: following } = await run.follow(ended)
    following.catch(() => {}).finally(() => ending.abort())
    this.#run = run
    this.#failure = null
    run.setStatus(snapshot.state.status)
    const publishing = this.#publish(run, epoch, ended)
    try {
      while (!ended.aborted) await this.#turn(run, ended)
    } finally {
      ending.abort()
      this.#run = null
      await publishing
    }
    await following
  }

  /** Scores one batch, or waits until there is something to do. */
  async #turn(run: GeneratorRun, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    try {
      if (run.isStarted && (await run.batch(signal))) {
        this.#failure = null
        return yieldToEventLoop()
      }
      run.setStatus((await this.#stream.read()).state.status)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // The generator was stopped, or another process has taken over: the queue may be out of date.
      const snapshot = await this.#stream.read()
      await this.#untilVisible(snapshot, signal)
      run.resetTo(snapshot)
    }
    if (run.hasWork(clock.now())) return
    const woken = new AbortController()
    this.#wake = () => woken.abort()
    const waitMs = Math.min(GENERATOR_POLL_MS, run.retryInMs(clock.now()))
    await clock.delay(waitMs, AbortSignal.any([signal, woken.signal, run.changeSignal()]))
  }

  /** Waits until the read model shows all batches of the stream: otherwise finished pairs would be scored again. */
  async #untilVisible({ position }: Pick<StreamSnapshot, 'position'>, signal: AbortSignal): Promise<void> {
    const { engines, clock } = this.#options
    if (position === null) return
    const { database, feed } = engines
    while (!(await hasPassed(database, matchScores.name, position, clock, feed.partitionOf(this.#stream.stream)))) {
      if (signal.aborted) return
    }
  }

  async #publish(run: GeneratorRun, epoch: number, signal: AbortSignal): Promise<void> {
    const { engines, clock, log } = this.#options
    const publish = () =>
      publishFigures(engines.database, MATCH_SCORES, epoch, this.#figuresOf(run)).catch((error: unknown) => {
        if (!signal.aborted)
          log.warn({ err: error }, 'match-score generator could not publish its figures to other processes')
      })
    while (!signal.aborted) {
      await publish()
      await clock.delay(PUBLISH_MS, signal)
    }
  }

  #figuresOf(run: GeneratorRun): GeneratorFigures {
    return { ...run.figures(this.#options.clock.now()), breaker: this.#breaker() }
  }

  #idleFigures({ state }: StreamSnapshot): GeneratorFigures {
    return {
      status: state.status,
      uptimeSeconds: 0,
      batch: state.batch,
      queueSize: 0,
      breaker: this.#breaker(),
      ...new RunCounter(0).read(0),
    }
  }

  #breaker() {
    const { extract, embed } = this.#options.models.breakerStates()
    return worstState([extract, embed])
  }
}
