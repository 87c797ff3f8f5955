import { Counter, Gauge, Histogram } from 'prom-client'
import { GATEWAY_ERRORS, type GatewayErrorName } from '../../contracts/errors.ts'
import { creditsNumber } from '../../domain/credits.ts'
import type { Tokens } from '../../domain/pricing/usage.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { LIMIT_NAMES, type LimitName } from './rateLimiter.ts'

const OUTCOMES = ['charged', 'failed', 'uncertain'] as const
/** How an admitted call ended on the ledger. */
export type Outcome = (typeof OUTCOMES)[number]
const DIRECTIONS = ['in', 'out'] as const

type AliasCounts = Record<Outcome | (typeof DIRECTIONS)[number], number> & {
  micros: bigint
  readonly durationsMs: number[]
  readonly addedMs: number[]
}

/** Durations kept between two scrapes; at this number they are copied without waiting for a scrape. */
const DURATIONS_KEPT_MAX = 10_000

/**
 * The gateway's metrics. Calls are counted in plain fields, which are copied to the metrics at each scrape: finding a
 * metric by its labels is the expensive part of counting, and a call would do it seven times.
 */
export class GatewayMetrics {
  readonly #byAlias = new Map<string, AliasCounts>()
  readonly #calls: Counter<'alias' | 'outcome'>
  readonly #tokens: Counter<'alias' | 'direction'>
  readonly #credits: Counter<'alias'>
  readonly #durations: Histogram<'alias'>
  readonly #added: Histogram<'alias'>
  readonly #streamAborts: Counter<'reason'>
  readonly #tokensAbandoned: Counter
  readonly #limitHits: Counter<'limit'>
  readonly #refusals: Counter<'status' | 'code'>
  readonly #replays: Counter
  readonly #beyondBound: Counter<'alias' | 'provider'>
  #inFlight = () => 0
  #appends = () => 0

  constructor(registry: Metrics) {
    const registers = [registry]
    this.#calls = new Counter({
      name: 'tollgate_calls_total',
      help: 'Admitted calls by outcome',
      labelNames: ['alias', 'outcome'],
      registers,
      // The registry collects its metrics in order, so this first one copies for all of them.
      collect: () => this.#copyCounts(),
    })
    this.#tokens = new Counter({
      name: 'tollgate_call_tokens_total',
      help: 'Tokens of charged calls',
      labelNames: ['alias', 'direction'],
      registers,
    })
    this.#credits = new Counter({
      name: 'tollgate_call_credits_total',
      help: 'Credits charged for calls',
      labelNames: ['alias'],
      registers,
    })
    this.#durations = new Histogram({
      name: 'tollgate_call_duration_seconds',
      help: 'Time from admission to the record on the ledger',
      labelNames: ['alias'],
      buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60],
      registers,
    })
    this.#added = new Histogram({
      name: 'tollgate_call_added_seconds',
      help: 'Time that the gateway adds to the provider: admission, and from the complete answer to its durable charge',
      labelNames: ['alias'],
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2, 10],
      registers,
    })
    this.#streamAborts = new Counter({
      name: 'tollgate_stream_aborts_total',
      help: 'Streams that began and did not complete, by reason',
      labelNames: ['reason'],
      registers,
    })
    this.#tokensAbandoned = new Counter({
      name: 'tollgate_abandoned_tokens_total',
      help: 'Estimated tokens of streams that their callers left, which are not charged',
      registers,
    })
    this.#limitHits = new Counter({
      name: 'tollgate_limit_hits_total',
      help: 'Requests refused by a rate limit, by limit',
      labelNames: ['limit'],
      registers,
    })
    for (const limit of LIMIT_NAMES) this.#limitHits.labels(limit).inc(0)
    this.#refusals = new Counter({
      name: 'tollgate_gateway_refusals_total',
      help: 'Requests answered with an error',
      labelNames: ['status', 'code'],
      registers,
    })
    this.#replays = new Counter({
      name: 'tollgate_replays_total',
      help: 'Answers replayed for an Idempotency-Key',
      registers,
    })
    this.#beyondBound = new Counter({
      name: 'tollgate_provider_usage_beyond_bound_total',
      help: 'Answers whose provider reported more usage than they can have',
      labelNames: ['alias', 'provider'],
      registers,
    })
    const inFlight = () => this.#inFlight()
    const appends = () => this.#appends()
    new Gauge({
      name: 'tollgate_appends_in_flight',
      help: 'Bookings being appended to the event store',
      registers,
      collect() {
        this.set(appends())
      },
    })
    new Gauge({
      name: 'tollgate_gateway_requests_in_flight',
      help: 'Requests in progress',
      registers,
      collect() {
        this.set(inFlight())
      },
    })
  }

  callEnded(alias: string, outcome: Outcome, ms: number, usage: Tokens | undefined, micros = 0n): void {
    const counts = this.#countsOf(alias)
    counts[outcome]++
    counts.micros += micros
    counts.in += usage?.tokensIn ?? 0
    counts.out += usage?.tokensOut ?? 0
    counts.durationsMs.push(ms)
    if (counts.durationsMs.length >= DURATIONS_KEPT_MAX) this.#copyCounts()
  }

  /** The time that the gateway itself added to a charged call. */
  added(alias: string, ms: number): void {
    this.#countsOf(alias).addedMs.push(ms)
  }

  streamAborted(reason: string): void {
    this.#streamAborts.labels(reason).inc()
  }

  tokensAbandoned(tokens: number): void {
    this.#tokensAbandoned.inc(tokens)
  }

  limitHit(limit: LimitName): void {
    this.#limitHits.labels(limit).inc()
  }

  refused(error: GatewayErrorName): void {
    const { status, code } = GATEWAY_ERRORS[error]
    this.#refusals.labels(String(status), code ?? 'none').inc()
  }

  replayed(): void {
    this.#replays.inc()
  }

  usageBeyondBound(alias: string, provider: string): void {
    this.#beyondBound.labels(alias, provider).inc()
  }

  observeInFlight(count: () => number): void {
    this.#inFlight = count
  }

  observeAppends(count: () => number): void {
    this.#appends = count
  }

  #countsOf(alias: string): AliasCounts {
    let counts = this.#byAlias.get(alias)
    if (!counts) {
      counts = { charged: 0, failed: 0, uncertain: 0, in: 0, out: 0, micros: 0n, durationsMs: [], addedMs: [] }
      this.#byAlias.set(alias, counts)
    }
    return counts
  }

  #copyCounts(): void {
    for (const [alias, counts] of this.#byAlias) {
      for (const outcome of OUTCOMES) {
        if (counts[outcome] > 0) this.#calls.labels(alias, outcome).inc(counts[outcome])
      }
      for (const direction of DIRECTIONS) this.#tokens.labels(alias, direction).inc(counts[direction])
      this.#credits.labels(alias).inc(creditsNumber(counts.micros))
      const durations = this.#durations.labels(alias)
      for (const ms of counts.durationsMs) durations.observe(ms / 1000)
      const added = this.#added.labels(alias)
      for (const ms of counts.addedMs) added.observe(ms / 1000)
    }
    this.#byAlias.clear()
  }
}
