import type { Clock } from '../../platform/clock/clock.ts'
import { settlesWithin } from '../../platform/clock/within.ts'

export const ATTEMPTS_MAX = 20
const INTERVAL_MS = 3_000
const TOTAL_MS = 60_000

/** The result of one attempt: the status of the response, or why there was none. */
export type HealthCheck = {
  readonly status: number | null
  /** The status that the body reports; null if none. */
  readonly health: string | null
  readonly fault: string | null
}

export type Verdict = HealthCheck & { readonly healthy: boolean; readonly attempts: number }

export type VerifyOptions = {
  readonly clock: Clock
  /** Sends one request, which ends when the signal aborts. */
  check(signal: AbortSignal): Promise<HealthCheck>
  onAttempt(attempt: number, check: HealthCheck): void
}

/**
 * The check after a deployment: 20 attempts, 3 s apart, within 60 s. An attempt without a response counts as failed when
 * the next one is due.
 */
export async function verifyHealth({ clock, check, onAttempt }: VerifyOptions): Promise<Verdict> {
  const beganMs = clock.now()
  let last: HealthCheck = { status: null, health: null, fault: null }
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const dueMs = beganMs + (attempt - 1) * INTERVAL_MS
    await clock.delay(Math.max(0, dueMs - clock.now()))
    last = await checkWithin(clock, Math.min(INTERVAL_MS, beganMs + TOTAL_MS - clock.now()), check)
    onAttempt(attempt, last)
    if (isHealthy(last)) return { healthy: true, attempts: attempt, ...last }
  }
  return { healthy: false, attempts: ATTEMPTS_MAX, ...last }
}

/** A degraded deployment serves calls; one that reports unhealthy also answers 200 but fails them. */
function isHealthy({ status, health }: HealthCheck): boolean {
  return status === 200 && health !== 'unhealthy'
}

async function checkWithin(clock: Clock, ms: number, check: VerifyOptions['check']): Promise<HealthCheck> {
  const request = new AbortController()
  const result = check(request.signal)
  if (await settlesWithin(result, ms, clock)) return result
  request.abort()
  result.catch(() => {})
  return { status: null, health: null, fault: `no answer within ${ms / 1000} s` }
}
