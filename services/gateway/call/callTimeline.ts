import { channel } from 'node:diagnostics_channel'
import type { Clock } from '../../../platform/clock/clock.ts'

/** The channel on which each charged call is published with the moments of its steps, for a benchmark that subscribes. */
export const CALL_TIMELINES = 'tollgate.call.timeline'

/** The steps of a charged call, in their order. */
export const CALL_STEPS = [
  'head read',
  'admitted',
  'provider asked',
  'first byte of the provider',
  'last byte of the provider',
  'append submitted',
  'append stored',
  'answer written',
] as const
export type CallStep = (typeof CALL_STEPS)[number]

/** When each step was done, in milliseconds of the monotonic clock. */
export type PublishedTimeline = { readonly callId: string; readonly atMs: Readonly<Partial<Record<CallStep, number>>> }

/** Without a subscriber, calls have no timeline and no overhead. */
export const timelines = channel(CALL_TIMELINES)

/** Notes when the steps of one call are done. */
export class CallTimeline {
  readonly #callId: string
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #atMs: Partial<Record<CallStep, number>> = {}

  constructor(callId: string, clock: Pick<Clock, 'monotonicMs'>) {
    this.#callId = callId
    this.#clock = clock
  }

  /** Without a time, the step is done now. */
  done(step: CallStep, atMs: number | null = this.#clock.monotonicMs()): void {
    if (atMs !== null) this.#atMs[step] = atMs
  }

  publish(): void {
    timelines.publish({ callId: this.#callId, atMs: this.#atMs } satisfies PublishedTimeline)
  }
}
