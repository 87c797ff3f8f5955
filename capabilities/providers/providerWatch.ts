import type { Clock } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/logger/logger.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { providerMetricsOf } from './providerMetrics.ts'

/** Calls are added up in slots of this length; a whole slot is dropped once it is older than the window. */
const SLOT_MS = 5_000
const SLOTS = 12

/** Only the operator can fix these: a wrong key, an account without the model, a wrong model or address. */
const OPERATOR_STATUSES = new Set([401, 403, 404])
/** How often the same refusal of this kind is logged. */
const OPERATOR_LOG_MS = 60_000

/** A request to a provider. */
export type ProviderCall = { readonly alias: string; readonly provider: string; readonly callId: string }

export type Refusal = ProviderCall & { readonly status: number }

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
  readonly #metrics: ReturnType<typeof providerMetricsOf>
  readonly #recent = new Map<string, RecentCalls>()
  readonly #logged = new Map<string, { atMs: number; unlogged: number }>()

  constructor({ clock, log, metrics }: { readonly clock: Clock; readonly log: Log; readonly metrics: Metrics }) {
    this.#clock = clock
    this.#log = log
    this.#metrics = providerMetricsOf(metrics)
  }

  /** `sentAtMs` is on the monotonic clock. */
  answered(alias: string, provider: string, sentAtMs: number): void {
    const nowMs = this.#clock.monotonicMs()
    this.#recentOf(provider).answered(nowMs, nowMs - sentAtMs)
    this.#metrics.answered(alias, provider, nowMs - sentAtMs)
  }

  /** The caller disconnected before the provider began to answer. */
  givenUp(alias: string, provider: string): void {
    this.#metrics.givenUp(alias, provider)
  }

  /** The provider answered with an error that concerns our account or the provider itself. */
  refused(refusal: Refusal): void {
    const { status } = refusal
    this.#failed(refusal, `provider_${status}`)
    if (OPERATOR_STATUSES.has(status)) this.#logForOperator(refusal)
    else this.#log.warn(refusal, 'provider refused a call')
  }

  /** The provider did not answer, or the call could not be sent to it. */
  unreachable(call: ProviderCall, reason: string, error: unknown): void {
    // The circuit breaker was already logged when it opened, and the provider was not asked.
    if (reason === 'provider_resting') return
    this.#failed(call, reason)
    this.#log.warn({ err: error, callId: call.callId }, 'provider did not answer')
  }

  /** For the last minute, and the providers that were asked in it. */
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

  #failed({ alias, provider }: ProviderCall, reason: string): void {
    this.#metrics.failed(alias, provider, reason)
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

  /** Every call may hit the same fault, so it is logged once a minute, with the number of occurrences in between. */
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

type Slot = { readonly number: number; answers: number; errors: number; firstByteMs: number }

/** Counts the calls of the last minute. Times are on the monotonic clock. */
class RecentCalls {
  #slots: Slot[] = []

  answered(nowMs: number, firstByteMs: number): void {
    const slot = this.#slotAt(nowMs)
    slot.answers++
    slot.firstByteMs += firstByteMs
  }

  failed(nowMs: number): void {
    this.#slotAt(nowMs).errors++
  }

  /** `firstByteMs` is the sum over all answers. */
  sums(nowMs: number): { answers: number; errors: number; firstByteMs: number } {
    this.#dropOld(numberAt(nowMs))
    const sums = { answers: 0, errors: 0, firstByteMs: 0 }
    for (const { answers, errors, firstByteMs } of this.#slots) {
      sums.answers += answers
      sums.errors += errors
      sums.firstByteMs += firstByteMs
    }
    return sums
  }

  #slotAt(nowMs: number): Slot {
    const number = numberAt(nowMs)
    const newest = this.#slots.at(-1)
    if (newest?.number === number) return newest
    this.#dropOld(number)
    const slot = { number, answers: 0, errors: 0, firstByteMs: 0 }
    this.#slots.push(slot)
    return slot
  }

  #dropOld(number: number): void {
    this.#slots = this.#slots.filter((slot) => slot.number > number - SLOTS)
  }
}

function numberAt(nowMs: number): number {
  return Math.floor(nowMs / SLOT_MS)
}
