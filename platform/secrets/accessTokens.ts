import { jwtVerify, SignJWT } from 'jose'

/** How long a token is valid, whether it comes from a log-in or from demo.json. */
export const ACCESS_TOKEN_SECONDS = 12 * 60 * 60

export type TokenSubject = {
  readonly userId: string
  readonly email: string
  /** Counts the user's password changes. */
  readonly version: number
}

export type ReadToken = Pick<TokenSubject, 'userId' | 'version'> & { readonly expiresAtMs: number }

/**
 * An access token of a user: a JWT signed with HS256, with sub, email, iat and exp. `ver` is added after the first
 * password change, so that tokens signed before it are refused.
 */
export function signAccessToken(
  secret: string,
  subject: TokenSubject,
  nowMs: number,
  ttlSeconds: number,
): Promise<string> {
  const issuedAt = Math.floor(nowMs / 1000)
  const version = subject.version === 0 ? {} : { ver: subject.version }
  return new SignJWT({ email: subject.email, ...version })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(subject.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ttlSeconds)
    .sign(new TextEncoder().encode(secret))
}

/** The claims of a token that we signed and that has not expired; null for any other token. */
export async function readAccessToken(secret: string, token: string, nowMs: number): Promise<ReadToken | null> {
  const options = { algorithms: ['HS256'], requiredClaims: ['sub', 'iat', 'exp'], currentDate: new Date(nowMs) }
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), options)
    const { sub: userId, ver: version = 0, exp } = payload
    if (userId === undefined || exp === undefined || typeof version !== 'number') return null
    return { userId, version, expiresAtMs: exp * 1_000 }
  } catch {
    return null
  }
}
