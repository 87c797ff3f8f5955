import { Counter } from 'prom-client'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Log } from '../logger/logger.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { type Clock, isoTime } from './clock.ts'
import { within } from './within.ts'

/** How often the clock of the database is read. */
const READ_MS = 10_000
const READ_ANSWER_MS = 2_000
/** A larger difference between two readings, or between database and event store, means a faulty clock and is an alarm. */
export const CLOCK_JUMP_MS = 60 * 60_000
/** How long the database must agree with itself after a jump before its new time is accepted. */
export const CLOCK_SETTLE_MS = 5 * 60_000
/** Two readings after a jump agree if they differ by at most this. */
const AGREE_MS = 60_000

/** The clock of an installation. */
export type InstallationClock = Clock & {
  /** How long the clock has run without a jump and in agreement with the event store, as far as this process knows. */
  steadyMs(): number
  stop(): void
}

export type InstallationClockOptions = {
  /** The clock of this process. */
  readonly clock: Clock
  /** Reads the clock of the database, in milliseconds since 1970. */
  readonly read: () => Promise<number>
  /** Reads the newest of some events that are recorded regularly, with the time at which the event store recorded it. */
  readonly newestEvent: () => Promise<EventTime | null>
  readonly log: Log
  readonly metrics?: Metrics | undefined
}

type EventTime = Pick<RecordedEvent, 'revision' | 'recordedAt'>

type Jump = { readonly offsetMs: number; readonly sinceMs: number }

/**
 * The time of the database, carried on by the monotonic clock between readings, so that all processes agree on days,
 * months and moments, whatever the clocks of their machines say. A jump of the database clock by more than an hour is
 * an alarm, and the old time continues until the database has agreed with itself for several minutes: a clock that is
 * briefly months ahead closes no month and opens no budget. An event that the store records more than an hour off is an
 * alarm too: EventStoreDB has its own clock, and either of the two may be wrong.
 */
export async function openInstallationClock(options: InstallationClockOptions): Promise<InstallationClock> {
  const { clock, log } = options
  const jumps = jumpCounter(options.metrics)
  /** The time minus the monotonic time. */
  let offsetMs = clock.now() - clock.monotonicMs()
  let steadySinceMs = clock.monotonicMs()
  let jump: Jump | null = null
  /** The newest event at the last check, and the time of that check. */
  let seen: { readonly revision: number; readonly atMs: number } | null = null
  let disagreedAtMs = Number.NEGATIVE_INFINITY

  const now = () => Math.floor(offsetMs + clock.monotonicMs())
  const alarm = (differenceMs: number, message: string) => {
    jumps?.inc()
    const times = { was: isoTime(now()), is: isoTime(now() + Math.floor(differenceMs)) }
    log.error({ ...times, differenceSeconds: Math.round(differenceMs / 1000) }, message)
  }
  const readOffset = async () => {
    const askedMs = clock.monotonicMs()
    const readMs = await within(options.read(), READ_ANSWER_MS, clock)
    const answeredMs = clock.monotonicMs()
    return { readOffsetMs: readMs - (askedMs + answeredMs) / 2, uncertainMs: 1 + (answeredMs - askedMs) / 2 }
  }
  const follow = async () => {
    const { readOffsetMs, uncertainMs } = await readOffset()
    const differenceMs = readOffsetMs - offsetMs
    const nowMs = clock.monotonicMs()
    if (Math.abs(differenceMs) <= CLOCK_JUMP_MS) {
      if (jump) {
        log.warn('clock of the database is back where it was before it jumped')
        steadySinceMs = nowMs
        jump = null
      }
      // A difference smaller than the duration of the reading would only make the clock jitter.
      if (Math.abs(differenceMs) > uncertainMs) offsetMs = readOffsetMs
      return
    }
    if (jump === null || Math.abs(readOffsetMs - jump.offsetMs) > AGREE_MS + uncertainMs) {
      alarm(differenceMs, 'clock of the database jumped by more than an hour')
      jump = { offsetMs: readOffsetMs, sinceMs: nowMs }
      return
    }
    if (nowMs - jump.sinceMs < CLOCK_SETTLE_MS) return
    log.error({ differenceSeconds: Math.round(differenceMs / 1000) }, 'new time of the database is taken over')
    offsetMs = readOffsetMs
    steadySinceMs = jump.sinceMs
    jump = null
  }

  /** An event that was not there at the last check was recorded since then. */
  const compare = async () => {
    if (jump) return
    const newest = await within(options.newestEvent(), READ_ANSWER_MS, clock)
    const before = seen
    const nowMs = now()
    seen = { revision: newest?.revision ?? -1, atMs: nowMs }
    if (!newest || !before || newest.revision === before.revision) return
    const recordedMs = Date.parse(newest.recordedAt)
    if (recordedMs >= before.atMs - CLOCK_JUMP_MS && recordedMs <= nowMs + CLOCK_JUMP_MS) return
    steadySinceMs = clock.monotonicMs()
    // Repeats the alarm for as long as the difference lasts, but not for every event.
    if (steadySinceMs - disagreedAtMs < CLOCK_SETTLE_MS) return
    disagreedAtMs = steadySinceMs
    alarm(recordedMs - nowMs, 'event store records events more than an hour away from the clock of the database')
  }

  const first = await readOffset().catch((error: unknown) => {
    log.warn({ err: error }, 'clock of the database could not be read')
    return null
  })
  if (first) {
    const differenceMs = first.readOffsetMs - offsetMs
    if (Math.abs(differenceMs) > CLOCK_JUMP_MS)
      alarm(differenceMs, 'clock of this process differs from that of the database by more than an hour')
    if (Math.abs(differenceMs) > first.uncertainMs) offsetMs = first.readOffsetMs
  }
  // While the database does not answer, the time goes on by the monotonic clock.
  const timer = clock.every(
    READ_MS,
    () =>
      void follow()
        .then(compare)
        .catch(() => {}),
  )
  return {
    now,
    monotonicMs: clock.monotonicMs.bind(clock),
    delay: clock.delay.bind(clock),
    after: clock.after.bind(clock),
    every: clock.every.bind(clock),
    steadyMs: () => (jump ? 0 : clock.monotonicMs() - steadySinceMs),
    stop: () => timer.cancel(),
  }
}

function jumpCounter(metrics: Metrics | undefined): Counter | null {
  if (!metrics) return null
  return new Counter({
    name: 'tollgate_clock_jumps_total',
    help: 'Jumps of the clock of the database, or differences between it and the clock of this process or of the event store, of more than an hour',
    registers: [metrics],
  })
}
