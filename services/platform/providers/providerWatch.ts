import { Counter } from 'prom-client'
import type { Clock } from '../clock/clock.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { RecentCalls } from './recentCalls.ts'

/** Only the operator can end these: a wrong key, an account without the model, a wrong model or address. */
const OPERATOR_STATUSES = new Set([401, 403, 404])
/** How often the same refusal of this kind is logged. */
const OPERATOR_LOG_MS = 60_000

const ERRORS = 'tollgate_provider_errors_total'

export type Refusal = {
  readonly alias: string
  readonly provider: string
  readonly status: number
  readonly callId: string
}

/** Figures of one provider over the last minute. */
export type ProviderFigures = {
  readonly provider: string
  readonly answers: number
  readonly errors: number
  /** Average time from the request to the beginning of the answer; null without an answer. */
  readonly firstByteMs: number | null
}

/** Counts and logs how providers answer. */
export class ProviderWatch {
  readonly #clock: Clock
  readonly #log: Log
  readonly #errors: Counter<'provider' | 'reason'>
  readonly #recent = new Map<string, RecentCalls>()
  readonly #logged = new Map<string, { atMs: number; unlogged: number }>()

  constructor({ clock, log, metrics }: { readonly clock: Clock; readonly log: Log; readonly metrics: Metrics }) {
    this.#clock = clock
    this.#log = log
    // Gateway and AI service may share a process, and with it the metric.
    this.#errors =
      (metrics.getSingleMetric(ERRORS) as Counter<'provider' | 'reason'> | undefined) ??
      new Counter({
        name: ERRORS,
        help: 'Calls that a provider did not answer or refused, by reason: provider_401, provider_unreachable, …',
        labelNames: ['provider', 'reason'],
        registers: [metrics],
      })
  }

  /** `sentAtMs` is of the monotonic clock. */
  answered(provider: string, sentAtMs: number): void {
    const nowMs = this.#clock.monotonicMs()
    this.#recentOf(provider).answered(nowMs, nowMs - sentAtMs)
  }

  /** The provider answered with an error that concerns our account with it, or itself. */
  refused(refusal: Refusal): void {
    const { provider, status } = refusal
    this.#failed(provider, `provider_${status}`)
    if (OPERATOR_STATUSES.has(status)) this.#logForOperator(refusal)
    else this.#log.warn(refusal, 'provider refused a call')
  }

  /** The provider did not answer, or the call could not be sent to it. */
  unreachable(provider: string, reason: string, error: unknown, callId: string): void {
    // An open circuit breaker was logged when it opened, and the provider was not asked.
    if (reason === 'provider_resting') return
    this.#failed(provider, reason)
    this.#log.warn({ err: error, callId }, 'provider did not answer')
  }

  /** Of the last minute, for the providers that were asked in it. */
  figures(): ProviderFigures[] {
    const nowMs = this.#clock.monotonicMs()
    return [...this.#recent].flatMap(([provider, recent]) => {
      const { answers, errors, firstByteMs } = recent.sums(nowMs)
      if (answers + errors === 0) {
        this.#recent.delete(provider)
        return []
      }
      return [{ provider, answers, errors, firstByteMs: answers === 0 ? null : firstByteMs / answers }]
    })
  }

  #failed(provider: string, reason: string): void {
    this.#errors.labels(provider, reason).inc()
    this.#recentOf(provider).failed(this.#clock.monotonicMs())
  }

  #recentOf(provider: string): RecentCalls {
    let recent = this.#recent.get(provider)
    if (!recent) {
      recent = new RecentCalls()
      this.#recent.set(provider, recent)
    }
    return recent
  }

  /** Every call may meet the same fault, so the line is repeated once a minute, with the number of those in between. */
  #logForOperator(refusal: Refusal): void {
    const { alias, provider, status } = refusal
    const key = JSON.stringify([alias, provider, status])
    const last = this.#logged.get(key)
    const nowMs = this.#clock.monotonicMs()
    if (last && nowMs - last.atMs < OPERATOR_LOG_MS) {
      last.unlogged++
      return
    }
    this.#logged.set(key, { atMs: nowMs, unlogged: 0 })
    const facts = { ...refusal, notLogged: last?.unlogged ?? 0 }
    this.#log.error(facts, 'provider refuses our calls; check its key, address and model in PROVIDERS_FILE')
  }
}
