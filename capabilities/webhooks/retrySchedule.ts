import { hash } from 'node:crypto'

/** For how long a message is tried. */
export const WEBHOOK_TRIED_MS = 3 * 24 * 60 * 60_000
const FIRST_RETRY_MS = 5_000
const GROWTH = 3
const LONGEST_RETRY_MS = 8 * 60 * 60_000
/** The jitter of a delay, so that messages that failed together are not retried together. */
const JITTER = 0.2

export type FailedAttempt = {
  readonly deliveryId: string
  /** The number of attempts so far. */
  readonly attempts: number
  /** When the message was first due. */
  readonly sinceMs: number
  readonly nowMs: number
}

/** When a failed message is tried again; null if it was tried for long enough. The last attempt is at the very end. */
export function nextAttemptMs({ deliveryId, attempts, sinceMs, nowMs }: FailedAttempt): number | null {
  const endMs = sinceMs + WEBHOOK_TRIED_MS
  if (nowMs >= endMs) return null
  const delayMs = Math.min(FIRST_RETRY_MS * GROWTH ** (attempts - 1), LONGEST_RETRY_MS)
  const jittered = delayMs * (1 - JITTER + 2 * JITTER * fractionOf(`${deliveryId}:${attempts}`))
  return Math.min(nowMs + Math.round(jittered), endMs)
}

/** Evenly distributed from 0 to 1. Derived from the message, so that a retry after a crash is due at the same time. */
function fractionOf(text: string): number {
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16) / 2 ** 32
}
