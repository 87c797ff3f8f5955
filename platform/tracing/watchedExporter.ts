import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import type { Clock } from '../clock/clock.ts'
import type { Log } from '../logger/logger.ts'

/** An unavailable collector is reported at most this often. */
const REPORT_INTERVAL_MS = 60_000

type ExportDone = Parameters<SpanExporter['export']>[1]

const QUEUE_FULL = new Error('spans end faster than the collector takes them')

/** Logs what could not be sent and what did not fit into the queue: the SDK drops both silently. */
export class WatchedExporter implements SpanExporter {
  readonly #exporter: SpanExporter
  readonly #clock: Clock
  readonly #log: Log
  #lost = 0
  #waiting = 0
  #isAway = false
  #reportedAtMs = Number.NEGATIVE_INFINITY

  constructor(exporter: SpanExporter, { clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#exporter = exporter
    this.#clock = clock
    this.#log = log
  }

  /** The collector did not accept the last spans. */
  get isAway(): boolean {
    return this.#isAway
  }

  /** Counts ended spans like the queue in front of this exporter, which holds `waitingMax` and drops the rest silently. */
  queue(waitingMax: number): SpanProcessor {
    return {
      onStart: () => {},
      onEnd: () => {
        if (this.#waiting < waitingMax) this.#waiting++
        else this.#report(1, QUEUE_FULL)
      },
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
    }
  }

  export(spans: ReadableSpan[], done: ExportDone): void {
    this.#waiting -= spans.length
    this.#exporter.export(spans, (result) => {
      // 0 is success. The enum is in a package that this program does not otherwise use.
      this.#isAway = result.code !== 0
      if (this.#isAway) this.#report(spans.length, result.error)
      done(result)
    })
  }

  forceFlush(): Promise<void> {
    return this.#exporter.forceFlush?.() ?? Promise.resolve()
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown()
  }

  #report(spans: number, error: Error | undefined): void {
    this.#lost += spans
    const now = this.#clock.monotonicMs()
    if (now - this.#reportedAtMs < REPORT_INTERVAL_MS) return
    this.#reportedAtMs = now
    // Only message and code: the error of an answer would include the answer.
    const { message, code } = (error ?? {}) as { message?: string; code?: unknown }
    this.#log.warn(
      { spans: this.#lost, reason: message, code },
      'spans could not be sent to the OpenTelemetry collector',
    )
    this.#lost = 0
  }
}
