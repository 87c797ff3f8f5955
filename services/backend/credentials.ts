import type { IncomingMessage } from 'node:http'
import type { Config } from '../../platform/config/config.ts'
import { HttpError } from '../../platform/http/answer/httpError.ts'
import { bearerToken } from '../../platform/http/bearerToken.ts'
import { mayUseCookie } from './askingPage.ts'
import { sessionCookie } from './sessionCookie.ts'

/** The credentials of a request: an access token or a session token. */
export type Credentials = { readonly kind: 'token' | 'session'; readonly secret: string }

export function tokenCredentials(token: string | null): Credentials | null {
  return token === null ? null : { kind: 'token', secret: token }
}

/**
 * The credentials of a request. If there is an Authorization header, it alone counts, valid or not. Throws a 403 if the
 * session's cookie was sent because of a page of another origin.
 */
export function credentialsOf(request: IncomingMessage, config: Pick<Config, 'PUBLIC_URL'>): Credentials | null {
  if (request.headers.authorization !== undefined) return tokenCredentials(bearerToken(request))
  const secret = sessionCookie(request, config)
  if (secret === null) return null
  if (mayUseCookie(request, config)) return { kind: 'session', secret }
  throw new HttpError(
    403,
    'a request with the cookie of a session must come from a page of this server: it needs Sec-Fetch-Site: same-origin, or Origin with this host or that of PUBLIC_URL',
  )
}
