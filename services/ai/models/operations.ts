import { Counter, Histogram } from 'prom-client'
import { type Clock, isoTime } from '../../../platform/clock/clock.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { ModelFailureReason } from './modelFailure.ts'
import type { ModelService } from './modelService.ts'

export type OperationStatus = 'succeeded' | ModelFailureReason

/** The calls of one kind to one service since this process started. */
export type OperationCounts = {
  readonly kind: string
  readonly service: ModelService
  readonly counts: Readonly<Record<OperationStatus, number>>
  readonly inProgress: number
  readonly tokensIn: number
  readonly tokensOut: number
  readonly avgMs: number | null
  readonly lastAt: string | null
  readonly lastFailure: { readonly at: string; readonly reason: ModelFailureReason; readonly message: string } | null
}

type Tally = {
  -readonly [Name in keyof Omit<OperationCounts, 'counts' | 'avgMs'>]: OperationCounts[Name]
} & { counts: Record<OperationStatus, number>; totalMs: number }

export type EndedOperation = {
  readonly ms: number
  readonly tokensIn: number
  readonly tokensOut: number
  /** null if the call succeeded. */
  readonly failure: { readonly reason: ModelFailureReason; readonly message: string } | null
}

/** Counts the model calls of background work. The platform pays for them, so they are in no ledger. */
export class Operations {
  readonly #clock: Clock
  readonly #tallies = new Map<string, Tally>()
  readonly #calls: Counter<'kind' | 'service' | 'status'>
  readonly #seconds: Histogram<'kind' | 'service'>

  constructor(registry: Metrics, clock: Clock) {
    this.#clock = clock
    this.#calls = new Counter({
      name: 'tollgate_background_model_calls_total',
      help: 'Model calls of background work, by kind, service and how they ended',
      labelNames: ['kind', 'service', 'status'],
      registers: [registry],
    })
    this.#seconds = new Histogram({
      name: 'tollgate_background_model_call_seconds',
      help: 'How long model calls of background work took',
      labelNames: ['kind', 'service'],
      buckets: [0.01, 0.05, 0.2, 1, 5, 20, 60],
      registers: [registry],
    })
  }

  /** Returns a function to call once, when the operation ends. */
  begin(kind: string, service: ModelService): (ended: EndedOperation) => void {
    const tally = this.#tally(kind, service)
    tally.inProgress++
    return ({ ms, tokensIn, tokensOut, failure }) => {
      const status = failure?.reason ?? 'succeeded'
      const at = isoTime(this.#clock.now())
      tally.inProgress--
      tally.counts[status]++
      tally.tokensIn += tokensIn
      tally.tokensOut += tokensOut
      tally.lastAt = at
      if (failure) tally.lastFailure = { at, reason: failure.reason, message: failure.message }
      this.#calls.inc({ kind, service, status })
      // No call was made, so there is no duration.
      if (status === 'resting') return
      tally.totalMs += ms
      this.#seconds.observe({ kind, service }, ms / 1000)
    }
  }

  read(): OperationCounts[] {
    return [...this.#tallies.values()].map(({ totalMs, ...tally }) => {
      const called = Object.values(tally.counts).reduce((sum, count) => sum + count, 0) - tally.counts.resting
      return { ...tally, counts: { ...tally.counts }, avgMs: called === 0 ? null : Math.round(totalMs / called) }
    })
  }

  #tally(kind: string, service: ModelService): Tally {
    const key = `${kind} ${service}`
    let tally = this.#tallies.get(key)
    if (!tally) {
      const counts = { succeeded: 0, unreachable: 0, refused: 0, invalid: 0, resting: 0 }
      const nothing = { inProgress: 0, tokensIn: 0, tokensOut: 0, totalMs: 0, lastAt: null, lastFailure: null }
      tally = { kind, service, counts, ...nothing }
      this.#tallies.set(key, tally)
    }
    return tally
  }
}
