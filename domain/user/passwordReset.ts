import type { UserEvent } from '../../contracts/events/user.ts'
import { Refusal } from '../decider.ts'

type ResetRequested = Extract<UserEvent, { type: 'PasswordResetRequested' }>

/** Further requests within an hour send no mail, so that they cannot flood a mailbox. */
export const RESETS_PER_HOUR_MAX = 5
const HOUR_MS = 60 * 60 * 1_000

export type PasswordReset = {
  readonly resetId: string
  readonly tokenHash: string
  readonly expiresAt: string
}

export type PasswordResets = {
  /** The valid link, which is the newest one; null once it was used or the password was changed. */
  readonly open: PasswordReset | null
  /** When the most recent links were requested. */
  readonly requestedAt: readonly string[]
}

export function evolveResets(resets: PasswordResets | undefined, { data }: ResetRequested): PasswordResets {
  const { resetId, tokenHash, expiresAt, requestedAt } = data
  const earlier = (resets?.requestedAt ?? []).slice(1 - RESETS_PER_HOUR_MAX)
  return { open: { resetId, tokenHash, expiresAt }, requestedAt: [...earlier, requestedAt] }
}

export function decideReset(
  request: PasswordReset & { readonly userId: string; readonly at: string },
  resets: PasswordResets | undefined,
): ResetRequested[] {
  const { userId, resetId, tokenHash, expiresAt, at } = request
  const isRecent = (requestedAt: string) => Date.parse(at) - Date.parse(requestedAt) < HOUR_MS
  if ((resets?.requestedAt ?? []).filter(isRecent).length >= RESETS_PER_HOUR_MAX) return []
  return [{ type: 'PasswordResetRequested', data: { userId, resetId, tokenHash, requestedAt: at, expiresAt } }]
}

/** Refuses used, replaced and expired links, all with the same words. */
export function requireOpenReset(resets: PasswordResets | undefined, tokenHash: string, at: string): void {
  const open = resets?.open
  if (open?.tokenHash === tokenHash && at < open.expiresAt) return
  throw new Refusal('INVALID', RESET_ENDED)
}

export const RESET_ENDED =
  'the token is not valid: it was used, replaced by a newer one or has expired. Request another password reset'
