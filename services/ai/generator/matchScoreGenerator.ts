import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setImmediate as breath } from 'node:timers/promises'
import { Refusal } from '../../../domain/decider.ts'
import { matchScores } from '../../../projections/matchScores/projection.ts'
import { hasPassed } from '../../../projections/runner/readAfterWrite.ts'
import { worstState } from '../../platform/circuitBreaker/circuitBreaker.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { LEASE_RENEWAL_MS } from '../../platform/leases/leases.ts'
import { type Leadership, whileLeading } from '../../platform/leases/whileLeading.ts'
import type { Runtime } from '../../platform/runtime.ts'
import type { BackgroundModels } from '../models/backgroundModels.ts'
import { GeneratorRun } from './generatorRun.ts'
import { GeneratorStream, type Known } from './generatorStream.ts'
import { RunCounter } from './runFigures.ts'
import { type GeneratorFigures, tellFigures, toldFigures } from './sharedFigures.ts'

/** How often a generator at rest looks whether it was started or stopped, and how long one that is not heard of leads. */
const GENERATOR_POLL_MS = 500
const GENERATOR_LEASE_MS = 5_000

export type GeneratorParts = Pick<Runtime, 'engines' | 'clock' | 'log'> & {
  readonly models: BackgroundModels
  readonly leaseMs?: number
}

export const MATCH_SCORES = 'match-scores'
const LEASE = 'match-score-generator'
const TELL_MS = 1_000
/** Trouble that was not heard of for longer is over. */
const TROUBLE_MS = 10_000

/**
 * Scores every pair of an active job and a talent. Started and stopped by events, so that it goes on after a crash;
 * however many AI services there are, one of them runs it, by a lease.
 */
export class MatchScoreGenerator {
  readonly #parts: GeneratorParts
  readonly #stream: GeneratorStream
  readonly #stopping = new AbortController()
  readonly #leading: Promise<void>
  #run: GeneratorRun | null = null
  #wake: () => void = () => {}
  #trouble: { readonly message: string; readonly atMs: number } | null = null

  constructor(parts: GeneratorParts) {
    this.#parts = parts
    const { engines, clock, log, leaseMs = GENERATOR_LEASE_MS } = parts
    this.#stream = new GeneratorStream(MATCH_SCORES, engines.store, clock)
    this.#leading = whileLeading(
      {
        database: engines.database,
        clock,
        name: LEASE,
        holder: `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`,
        ttlMs: leaseMs,
        renewalMs: Math.min(LEASE_RENEWAL_MS, leaseMs / 3),
        onTrouble: (error) => {
          this.#trouble = { message: (error as Error).message, atMs: clock.now() }
          log.warn({ err: error }, 'the match-score generator failed and tries again')
        },
      },
      (leadership) => this.#lead(leadership),
      this.#stopping.signal,
    )
  }

  /** What it failed with, while it does; null: it is well. */
  get trouble(): string | null {
    if (!this.#trouble || this.#parts.clock.now() - this.#trouble.atMs > TROUBLE_MS) return null
    return this.#trouble.message
  }

  get isProcessing(): boolean {
    return this.#run?.isInBatch ?? false
  }

  async start(): Promise<GeneratorFigures> {
    return this.#command('StartGenerator')
  }

  /** After the batch that is under way. */
  async stop(): Promise<GeneratorFigures> {
    return this.#command('StopGenerator')
  }

  /** Of the process that runs it, whichever that is. */
  async figures(): Promise<GeneratorFigures> {
    if (this.#run) return this.#figuresOf(this.#run)
    const told = await toldFigures(this.#parts.engines.database, MATCH_SCORES)
    return told ?? this.#atRest(await this.#stream.read())
  }

  /** The batch that is under way is finished. The next process goes on with the next one. */
  async drain(timeoutMs: number): Promise<void> {
    this.#stopping.abort()
    this.#wake()
    await Promise.race([this.#leading, this.#parts.clock.delay(timeoutMs)])
  }

  async #command(type: 'StartGenerator' | 'StopGenerator'): Promise<GeneratorFigures> {
    const { engines, clock } = this.#parts
    // A second look at the stream of its own: the run's is at work.
    const stream = new GeneratorStream(MATCH_SCORES, engines.store, clock)
    const { state } = await stream.send({ type, name: MATCH_SCORES, at: isoTime(clock.now()) })
    this.#run?.told(state.status)
    this.#wake()
    const figures = await this.figures()
    return figures.status === 'processing' ? figures : { ...figures, status: state.status }
  }

  async #lead({ epoch, signal }: Leadership): Promise<void> {
    const { engines, clock, models, log } = this.#parts
    const ending = new AbortController()
    const ended = AbortSignal.any([signal, ending.signal])
    const known = await this.#stream.read()
    await this.#untilShown(known, signal)
    const run = new GeneratorRun({
      name: MATCH_SCORES,
      engines,
      clock,
      models,
      log,
      stream: this.#stream,
      known,
      caughtUp: async (to) => this.#untilShown(to, ended),
    })
    const { ended: following } = await run.follow(ended)
    following.catch(() => {}).finally(() => ending.abort())
    this.#run = run
    this.#trouble = null
    run.told(known.state.status)
    const telling = this.#tell(run, epoch, ended)
    try {
      while (!ended.aborted) await this.#turn(run, ended)
    } finally {
      ending.abort()
      this.#run = null
      await telling
    }
    await following
  }

  /** One batch, or a rest until there is something to do. */
  async #turn(run: GeneratorRun, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    try {
      if (run.isStarted && (await run.batch(signal))) {
        this.#trouble = null
        return breath()
      }
      run.told((await this.#stream.read()).state.status)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // Stopped meanwhile, or another process has gone on: what is known of the queue may no longer hold.
      const known = await this.#stream.read()
      await this.#untilShown(known, signal)
      run.lost(known)
    }
    if (run.hasWork(clock.now())) return
    const woken = new AbortController()
    this.#wake = () => woken.abort()
    const restMs = Math.min(GENERATOR_POLL_MS, run.restMs(clock.now()))
    await clock.delay(restMs, AbortSignal.any([signal, woken.signal, run.changed()]))
  }

  /** Until the read model shows all that the stream holds: otherwise finished pairs would be done again. */
  async #untilShown({ position }: Pick<Known, 'position'>, signal: AbortSignal): Promise<void> {
    const { engines, clock } = this.#parts
    if (position === null) return
    const { database, feed } = engines
    while (!(await hasPassed(database, matchScores.name, position, clock, feed.partitionOf(this.#stream.stream)))) {
      if (signal.aborted) return
    }
  }

  async #tell(run: GeneratorRun, epoch: number, signal: AbortSignal): Promise<void> {
    const { engines, clock, log } = this.#parts
    const tell = () =>
      tellFigures(engines.database, MATCH_SCORES, epoch, this.#figuresOf(run)).catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, 'what the generator does cannot be told to other processes')
      })
    while (!signal.aborted) {
      await tell()
      await clock.delay(TELL_MS, signal)
    }
  }

  #figuresOf(run: GeneratorRun): GeneratorFigures {
    return { ...run.figures(this.#parts.clock.now()), breaker: this.#breaker() }
  }

  #atRest({ state }: Known): GeneratorFigures {
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
    const { extract, embed } = this.#parts.models.breakerStates()
    return worstState([extract, embed])
  }
}
