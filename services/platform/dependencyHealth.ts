import type { Clock } from './clock/clock.ts'
import { within } from './clock/within.ts'

/** A dependency as health endpoints report it. */
export type DependencyHealth = {
  readonly status: 'healthy' | 'degraded'
  /** null: it did not answer in time. */
  readonly latency_ms: number | null
}

const ANSWER_MS_MAX = 2_000

/** Sends the dependency a cheap request. One that fails or does not answer in time counts as degraded. */
export async function dependencyHealth(request: () => Promise<unknown>, clock: Clock): Promise<DependencyHealth> {
  const sentAt = clock.monotonicMs()
  try {
    await within(request(), ANSWER_MS_MAX, clock)
    return { status: 'healthy', latency_ms: latencyMs(sentAt, clock) }
  } catch {
    return { status: 'degraded', latency_ms: null }
  }
}

/** The milliseconds since then, with two decimals. */
export function latencyMs(sentAt: number, clock: Clock): number {
  return Math.round((clock.monotonicMs() - sentAt) * 100) / 100
}
