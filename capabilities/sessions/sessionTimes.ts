/** A session ends when unused for this long: as long as an access token is valid. */
export const SESSION_IDLE_MS = 12 * 60 * 60_000
/** A session ends this long after its sign-in, however much it is used. */
export const SESSION_MS_MAX = 7 * 24 * 60 * 60_000
/** Each use renews a session, but its row is written only this often. */
export const SESSION_RENEWAL_MS = 5 * 60_000

export type SessionTimes = {
  readonly lastUsedAtMs: number
  /** When the session ends unless it is used again. */
  readonly expiresAtMs: number
  /** When it ends in any case. */
  readonly endsAtMs: number
}

/** The times of a session that is opened or used now and ends at `endsAtMs` at the latest. */
export function sessionTimes(nowMs: number, endsAtMs: number): SessionTimes {
  // If the clock was ahead when the session was opened, its end is further away than any session lasts.
  const latestMs = Math.min(endsAtMs, nowMs + SESSION_MS_MAX)
  return { lastUsedAtMs: nowMs, expiresAtMs: Math.min(nowMs + SESSION_IDLE_MS, latestMs), endsAtMs: latestMs }
}

export function isOver({ expiresAtMs }: Pick<SessionTimes, 'expiresAtMs'>, nowMs: number): boolean {
  return nowMs >= expiresAtMs
}

/** Whether a use is worth a write. A last use in the future comes from before the clock was set back. */
export function isRenewalDue({ lastUsedAtMs }: Pick<SessionTimes, 'lastUsedAtMs'>, nowMs: number): boolean {
  return Math.abs(nowMs - lastUsedAtMs) >= SESSION_RENEWAL_MS
}
