import { CHECKPOINTS_STREAM } from '../../contracts/streams.ts'
import { type Clock, isoTime } from '../../platform/clock/clock.ts'
import { CLOCK_JUMP_MS, CLOCK_SETTLE_MS } from '../../platform/clock/installationClock.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import type { Log } from '../../platform/logger/logger.ts'
import { CHECKPOINT_INTERVAL_MS } from '../transparency/checkpoint.ts'

/** A time that nothing confirms is accepted after a day, in which someone has seen the alarm. */
const BELIEVED_AFTER_MS = 24 * 60 * 60_000
const CHECKPOINTS_A_DAY = BELIEVED_AFTER_MS / CHECKPOINT_INTERVAL_MS

/** Time that passed without being recorded, or a jump of the recording clock. */
type Gap = { readonly ms: number; readonly endedMs: number }

export type ClosingTimeParts = {
  readonly clock: Pick<Clock, 'now' | 'monotonicMs' | 'steadyMs'>
  readonly store: Pick<EventStore, 'readStream'>
  readonly log: Pick<Log, 'warn'>
}

/**
 * The time up to which months may be closed, which cannot be undone; null while the clock has not been steady for some
 * minutes. It is the clock's time once that was watched for a day. Before that, the times at which the store recorded
 * events must lead up to it: hours of the last day count only if this process watched them or events were recorded in
 * them. So a clock that is ahead when the process starts, or that has jumped, closes no month for a day, and an idle
 * installation that was restarted closes its month some hours late.
 *
 * The events are the checkpoints of the transparency log: while there are charges, one is recorded every ten seconds.
 */
export function createClosingTime({ clock, store, log }: ClosingTimeParts): () => Promise<number | null> {
  let gaps: readonly Gap[] = []
  /** The start of the steady time that follows them, on the monotonic clock. */
  let readFor: number | null = null
  return async () => {
    const nowMs = clock.now()
    const steadyMs = clock.steadyMs?.() ?? BELIEVED_AFTER_MS
    if (steadyMs < CLOCK_SETTLE_MS) return null
    if (steadyMs >= BELIEVED_AFTER_MS) return nowMs
    const steadySinceMs = clock.monotonicMs() - steadyMs
    if (readFor === null || Math.abs(steadySinceMs - readFor) > 1) {
      gaps = await gapsBefore(store, nowMs - steadyMs)
      readFor = steadySinceMs
      const unrecorded = gaps.map(({ ms, endedMs }) => ({ from: isoTime(endedMs - ms), to: isoTime(endedMs) }))
      if (gaps.length > 0)
        log.warn({ unrecorded }, 'months are closed late, because no events show that time has passed')
    }
    const open = gaps.filter(({ endedMs }) => endedMs > nowMs - BELIEVED_AFTER_MS)
    return open.reduce((time, { ms }) => time - ms, nowMs)
  }
}

async function gapsBefore(store: ClosingTimeParts['store'], untilMs: number): Promise<Gap[]> {
  const gaps: Gap[] = []
  let laterMs = untilMs
  for await (const { recordedAt } of store.readStream(CHECKPOINTS_STREAM, {
    direction: 'backwards',
    limit: CHECKPOINTS_A_DAY,
  })) {
    const recordedMs = Date.parse(recordedAt)
    // A clock that was ahead recorded it.
    if (recordedMs > laterMs) continue
    if (laterMs - recordedMs > CLOCK_JUMP_MS) gaps.push({ ms: laterMs - recordedMs, endedMs: laterMs })
    if (recordedMs < untilMs - BELIEVED_AFTER_MS) break
    laterMs = recordedMs
  }
  return gaps
}
