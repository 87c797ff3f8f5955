import { Counter, Gauge, Histogram } from 'prom-client'
import { creditsNumber } from '../../domain/credits.ts'
import type { Usage } from '../../domain/pricing/usage.ts'
import { ByRoute } from '../../platform/metrics/byRoute.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { ProviderCost } from './call/callUsage.ts'
import { LIMIT_NAMES, type LimitName } from './rateLimiter.ts'

const OUTCOMES = ['charged', 'failed', 'uncertain'] as const
/** How an admitted call ended on the ledger. */
export type Outcome = (typeof OUTCOMES)[number]
const DIRECTIONS = ['in', 'out'] as const

/** How a call ended. `provider` is the one that was asked last; null if none was. */
export type EndedCall = {
  readonly alias: string
  readonly provider: string | null
  readonly outcome: Outcome
  readonly ms: number
  readonly usage?: Pick<Usage, 'tokensIn' | 'tokensOut'> | undefined
  readonly micros?: bigint
  readonly cost?: ProviderCost | null
  /** Of a failed call. */
  readonly reason?: string | undefined
}

/** A request that is answered with an error. */
export type Refusal = { readonly status: number; readonly code: string }

type RouteCounts = Record<Outcome | (typeof DIRECTIONS)[number], number> & {
  micros: bigint
  /** Millionths by currency. */
  readonly costs: Map<string, bigint>
  /** By reason. */
  readonly failures: Map<string, number>
  readonly durationsMs: number[]
}

/** The label of a call that was not sent to a provider. */
const NO_PROVIDER = 'none'

/** Durations kept between two scrapes; at this number they are copied without waiting for a scrape. */
const DURATIONS_KEPT_MAX = 10_000

/** Seconds. Most calls add 1 to 3 ms, where a quantile is exact to a quarter of a millisecond. */
const ADDED_BUCKETS = [
  0.00025, 0.0005, 0.00075, 0.001, 0.00125, 0.0015, 0.00175, 0.002, 0.00225, 0.0025, 0.003, 0.0035, 0.004, 0.005, 0.006,
  0.0075, 0.01, 0.0125, 0.015, 0.02, 0.03, 0.05, 0.1, 0.25, 1, 10,
]
const MICROS = 1_000_000

/**
 * The gateway's metrics. Calls are counted in plain fields, which are copied to the metrics at each scrape: finding a
 * metric by its labels is the expensive part of counting, and a call would do it seven times.
 */
export class GatewayMetrics {
  readonly #byRoute = new ByRoute<RouteCounts>(noCounts)
  readonly #addedMs = new Map<string, number[]>()
  readonly #calls: Counter<'alias' | 'provider' | 'outcome'>
  readonly #failures: Counter<'alias' | 'provider' | 'reason'>
  readonly #tokens: Counter<'alias' | 'provider' | 'direction'>
  readonly #credits: Counter<'alias' | 'provider'>
  readonly #costs: Counter<'alias' | 'provider' | 'currency'>
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
      help: 'Admitted calls by the provider that was asked last and by outcome',
      labelNames: ['alias', 'provider', 'outcome'],
      registers,
      // The registry collects its metrics in order, so this first one copies for all of them.
      collect: () => this.#copyCounts(),
    })
    this.#failures = new Counter({
      name: 'tollgate_call_failures_total',
      help: 'Failed calls by reason: provider_cut, no_usage, client_left, …',
      labelNames: ['alias', 'provider', 'reason'],
      registers,
    })
    this.#tokens = new Counter({
      name: 'tollgate_call_tokens_total',
      help: 'Tokens of charged calls',
      labelNames: ['alias', 'provider', 'direction'],
      registers,
    })
    this.#credits = new Counter({
      name: 'tollgate_call_credits_total',
      help: 'Credits charged for calls',
      labelNames: ['alias', 'provider'],
      registers,
    })
    this.#costs = new Counter({
      name: 'tollgate_call_cost_total',
      help: 'What providers charge us for charged calls, in units of the currency, by the costs in the providers file',
      labelNames: ['alias', 'provider', 'currency'],
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
      help: 'Time of a charged call from reading the request to writing the end of its answer, without the provider',
      labelNames: ['alias'],
      buckets: ADDED_BUCKETS,
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
      help: 'Estimated tokens of calls that were left, or failed after words of them were delivered; they are not charged',
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

  callEnded({ alias, provider, outcome, ms, usage, micros, cost, reason }: EndedCall): void {
    const counts = this.#byRoute.of(alias, provider ?? NO_PROVIDER)
    counts[outcome]++
    if (reason !== undefined) counts.failures.set(reason, (counts.failures.get(reason) ?? 0) + 1)
    if (micros) counts.micros += micros
    if (cost) counts.costs.set(cost.currency, (counts.costs.get(cost.currency) ?? 0n) + cost.micros)
    counts.in += usage?.tokensIn ?? 0
    counts.out += usage?.tokensOut ?? 0
    counts.durationsMs.push(ms)
    if (counts.durationsMs.length >= DURATIONS_KEPT_MAX) this.#copyCounts()
  }

  /** The time that the gateway itself added to a charged call. */
  added(alias: string, ms: number): void {
    const times = this.#addedMs.get(alias)
    if (times) times.push(ms)
    else this.#addedMs.set(alias, [ms])
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

  refused({ status, code }: Refusal): void {
    this.#refusals.labels(String(status), code).inc()
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

  #copyCounts(): void {
    for (const { alias, provider, value: counts } of this.#byRoute.take()) {
      // Also those that are 0, because Prometheus sees no increase in a counter that begins with its first event.
      for (const outcome of OUTCOMES) this.#calls.labels(alias, provider, outcome).inc(counts[outcome])
      this.#beyondBound.labels(alias, provider).inc(0)
      for (const [reason, count] of counts.failures) this.#failures.labels(alias, provider, reason).inc(count)
      if (counts.charged > 0) {
        for (const direction of DIRECTIONS) this.#tokens.labels(alias, provider, direction).inc(counts[direction])
        this.#credits.labels(alias, provider).inc(creditsNumber(counts.micros))
      }
      for (const [currency, micros] of counts.costs) {
        this.#costs.labels(alias, provider, currency).inc(Number(micros) / MICROS)
      }
      const durations = this.#durations.labels(alias)
      for (const ms of counts.durationsMs) durations.observe(ms / 1000)
    }
    for (const [alias, times] of this.#addedMs) {
      const added = this.#added.labels(alias)
      for (const ms of times) added.observe(ms / 1000)
    }
    this.#addedMs.clear()
  }
}

function noCounts(): RouteCounts {
  const counts = { charged: 0, failed: 0, uncertain: 0, in: 0, out: 0, micros: 0n }
  return { ...counts, costs: new Map(), failures: new Map(), durationsMs: [] }
}
