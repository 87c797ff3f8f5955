import { Counter, Gauge, Histogram } from 'prom-client'
import { GATEWAY_ERRORS, type GatewayErrorName } from '../../contracts/errors.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { Usage } from './wire/usage.ts'

/** What the gateway tells of itself on /metrics. */
export class GatewayMetrics {
  readonly #calls: Counter<'alias' | 'outcome'>
  readonly #tokens: Counter<'alias' | 'direction'>
  readonly #durations: Histogram<'alias'>
  readonly #refusals: Counter<'status' | 'code'>
  readonly #inFlight: Gauge

  constructor(registry: Metrics) {
    const registers = [registry]
    this.#calls = new Counter({
      name: 'tollgate_calls_total',
      help: 'Calls that were admitted, by how they ended',
      labelNames: ['alias', 'outcome'],
      registers,
    })
    this.#tokens = new Counter({
      name: 'tollgate_call_tokens_total',
      help: 'Tokens of charged calls',
      labelNames: ['alias', 'direction'],
      registers,
    })
    this.#durations = new Histogram({
      name: 'tollgate_call_duration_seconds',
      help: 'From admission to the end on the ledger',
      labelNames: ['alias'],
      buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60],
      registers,
    })
    this.#refusals = new Counter({
      name: 'tollgate_gateway_refusals_total',
      help: 'Requests that were answered with an error',
      labelNames: ['status', 'code'],
      registers,
    })
    this.#inFlight = new Gauge({
      name: 'tollgate_gateway_requests_in_flight',
      help: 'Requests being served',
      registers,
    })
  }

  callEnded(alias: string, outcome: string, ms: number, usage: Usage | undefined): void {
    this.#calls.labels(alias, outcome).inc()
    this.#durations.labels(alias).observe(ms / 1000)
    if (!usage) return
    this.#tokens.labels(alias, 'in').inc(usage.tokensIn)
    this.#tokens.labels(alias, 'out').inc(usage.tokensOut)
  }

  refused(error: GatewayErrorName): void {
    const { status, code } = GATEWAY_ERRORS[error]
    this.#refusals.labels(String(status), code ?? 'none').inc()
  }

  inFlight(count: number): void {
    this.#inFlight.set(count)
  }
}
