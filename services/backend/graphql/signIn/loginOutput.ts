import type { Runtime } from '../../../../capabilities/installation.ts'
import { isoTime } from '../../../../platform/clock/clock.ts'
import { ACCESS_TOKEN_SECONDS, signAccessToken, type TokenSubject } from '../../../../platform/secrets/accessTokens.ts'
import type { LoginOutput } from '../generated.ts'

/** A new access token for a user who has just authenticated. */
export async function loginOutput({ clock, secrets }: Runtime, subject: TokenSubject): Promise<LoginOutput> {
  const now = clock.now()
  const token = await signAccessToken(secrets.jwtSecret, subject, now, ACCESS_TOKEN_SECONDS)
  const expiresAtMs = (Math.floor(now / 1000) + ACCESS_TOKEN_SECONDS) * 1000
  return { token, expiresAt: isoTime(expiresAtMs) }
}
