import type { Clock } from '../../services/platform/clock/clock.ts'

export const ATTEMPTS_MAX = 20
const INTERVAL_MS = 3_000
const TOTAL_MS = 60_000

/** What one look found: the status of the answer, or why there was none. */
export type Look = { readonly status: number | null; readonly fault: string | null }

export type Verdict = Look & { readonly healthy: boolean; readonly attempts: number }

export type VerifyOptions = {
  readonly clock: Clock
  /** Asks once. It ends when the signal aborts. */
  look(signal: AbortSignal): Promise<Look>
  onAttempt(attempt: number, look: Look): void
}

/** The check after a deployment: 20 attempts, 3 s apart, 60 s in all. One that is not answered counts when the next is due. */
export async function verifyHealth({ clock, look, onAttempt }: VerifyOptions): Promise<Verdict> {
  const beganMs = clock.now()
  let last: Look = { status: null, fault: null }
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const dueMs = beganMs + (attempt - 1) * INTERVAL_MS
    await clock.delay(Math.max(0, dueMs - clock.now()))
    last = await withinInterval(clock, Math.min(INTERVAL_MS, beganMs + TOTAL_MS - clock.now()), look)
    onAttempt(attempt, last)
    if (last.status === 200) return { healthy: true, attempts: attempt, ...last }
  }
  return { healthy: false, attempts: ATTEMPTS_MAX, ...last }
}

async function withinInterval(clock: Clock, ms: number, look: VerifyOptions['look']): Promise<Look> {
  const asking = new AbortController()
  const waiting = new AbortController()
  const tooLate = clock.delay(ms, waiting.signal).then((): Look => {
    asking.abort()
    return { status: null, fault: `no answer within ${ms / 1000} s` }
  })
  try {
    return await Promise.race([look(asking.signal), tooLate])
  } finally {
    waiting.abort()
  }
}
