import type { Clock } from './clock/clock.ts'
import { within } from './clock/within.ts'

/** A dependency as health endpoints report it. */
export type DependencyHealth = {
  /** unhealthy: calls fail without it. degraded: calls still work, but less well. */
  readonly status: 'healthy' | 'degraded' | 'unhealthy'
  /** null: it did not answer in time. */
  readonly latency_ms: number | null
}

const ANSWER_MS_MAX = 2_000
const RESULT_VALID_MS = 1_000

/**
 * Checks a dependency by a cheap request. One that fails or does not answer in time is unhealthy. Health endpoints are
 * public, so at most one request is under way at a time, and its result is reused for a second: otherwise their callers
 * could use up all connections to a dependency that hangs.
 */
export function dependencyCheck(request: () => Promise<unknown>, clock: Clock): () => Promise<DependencyHealth> {
  let pending: Promise<unknown> | null = null
  let last: { readonly health: DependencyHealth; readonly atMs: number } | null = null
  const send = () => {
    pending ??= request().finally(() => {
      pending = null
    })
    return pending
  }
  return async () => {
    if (last === null || clock.monotonicMs() - last.atMs >= RESULT_VALID_MS) {
      const health = await answerOf(send, clock)
      last = { health, atMs: clock.monotonicMs() }
    }
    return last.health
  }
}

async function answerOf(send: () => Promise<unknown>, clock: Clock): Promise<DependencyHealth> {
  const sentAt = clock.monotonicMs()
  try {
    await within(send(), ANSWER_MS_MAX, clock)
    return { status: 'healthy', latency_ms: latencyMs(sentAt, clock) }
  } catch {
    return { status: 'unhealthy', latency_ms: null }
  }
}

/** The milliseconds since then, to two decimals. */
export function latencyMs(sentAt: number, clock: Clock): number {
  return Math.round((clock.monotonicMs() - sentAt) * 100) / 100
}
