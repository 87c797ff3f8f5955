import { Counter, Histogram } from 'prom-client'
import { ByRoute } from '../../platform/metrics/byRoute.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'

/** How many times are kept between two scrapes; at this number they are copied without waiting for a scrape. */
const TIMES_KEPT_MAX = 10_000

type Route = 'alias' | 'provider'

const KNOWN = new WeakMap<Metrics, ProviderMetrics>()

/** Gateway and AI service may share a process, and therefore these metrics. */
export function providerMetricsOf(registry: Metrics): ProviderMetrics {
  let metrics = KNOWN.get(registry)
  if (!metrics) {
    metrics = new ProviderMetrics(registry)
    KNOWN.set(registry, metrics)
  }
  return metrics
}

/** Requests to providers. Answered ones are counted in plain fields and copied to the metrics at each scrape. */
class ProviderMetrics {
  readonly #answered = new ByRoute(() => ({ firstByteMs: [] as number[] }))
  readonly #requests: Counter<Route>
  readonly #errors: Counter<Route | 'reason'>
  readonly #firstBytes: Histogram<Route>

  constructor(registry: Metrics) {
    const registers = [registry]
    this.#requests = new Counter({
      name: 'tollgate_provider_requests_total',
      help: 'Requests to a provider that were answered, failed or were given up; not those that an open breaker stopped',
      labelNames: ['alias', 'provider'],
      registers,
      // The registry collects its metrics in order, so this first one copies for all of them.
      collect: () => this.#copy(),
    })
    this.#errors = new Counter({
      name: 'tollgate_provider_errors_total',
      help: 'Requests that a provider did not answer or refused, by reason: provider_401, provider_unreachable, …',
      labelNames: ['alias', 'provider', 'reason'],
      registers,
    })
    this.#firstBytes = new Histogram({
      name: 'tollgate_provider_first_byte_seconds',
      help: 'Time from sending a request to a provider to the beginning of its answer',
      labelNames: ['alias', 'provider'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60],
      registers,
    })
  }

  answered(alias: string, provider: string, firstByteMs: number): void {
    const times = this.#answered.of(alias, provider).firstByteMs
    times.push(firstByteMs)
    if (times.length >= TIMES_KEPT_MAX) this.#copy()
  }

  failed(alias: string, provider: string, reason: string): void {
    this.#requests.labels(alias, provider).inc()
    this.#errors.labels(alias, provider, reason).inc()
  }

  /** The caller disconnected before the provider began to answer. */
  givenUp(alias: string, provider: string): void {
    this.#requests.labels(alias, provider).inc()
  }

  #copy(): void {
    for (const { alias, provider, value } of this.#answered.take()) {
      this.#requests.labels(alias, provider).inc(value.firstByteMs.length)
      const firstBytes = this.#firstBytes.labels(alias, provider)
      for (const ms of value.firstByteMs) firstBytes.observe(ms / 1000)
    }
  }
}
