import { jwtVerify, SignJWT } from 'jose'

export type TokenSubject = { readonly userId: string; readonly email: string }

/** An access token of a user: a JWT signed with HS256, with sub, email, iat and exp. */
export function signAccessToken(
  secret: string,
  subject: TokenSubject,
  nowMs: number,
  ttlSeconds: number,
): Promise<string> {
  const issuedAt = Math.floor(nowMs / 1000)
  return new SignJWT({ email: subject.email })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(subject.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ttlSeconds)
    .sign(new TextEncoder().encode(secret))
}

/** The user of a token that we signed and that has not expired; null for any other token. */
export async function readAccessToken(secret: string, token: string, nowMs: number): Promise<string | null> {
  const options = { algorithms: ['HS256'], requiredClaims: ['sub', 'iat', 'exp'], currentDate: new Date(nowMs) }
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), options)
    return payload.sub ?? null
  } catch {
    return null
  }
}
