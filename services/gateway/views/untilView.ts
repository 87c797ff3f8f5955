import type { Clock } from '../../../platform/clock/clock.ts'

const VIEW_POLL_MS = 5

/** Waits for this gateway's views until a deadline on the monotonic clock. False if they have not caught up by then. */
export async function untilView(
  hasCaughtUp: () => boolean,
  endMs: number,
  clock: Pick<Clock, 'monotonicMs' | 'delay'>,
  signal?: AbortSignal,
): Promise<boolean> {
  while (!hasCaughtUp()) {
    if (signal?.aborted || clock.monotonicMs() >= endMs) return false
    await clock.delay(VIEW_POLL_MS, signal)
  }
  return true
}
