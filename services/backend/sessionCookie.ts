import type { IncomingMessage } from 'node:http'
import type { Config } from '../../platform/config/config.ts'
import { isLoopback } from '../../platform/config/sandboxParties.ts'

type CookieRequest = Pick<IncomingMessage, 'headers'>
type Public = Pick<Config, 'PUBLIC_URL'>

/**
 * The name of the session's cookie. `__Host-` makes browsers accept it only with Secure, for this host alone and for all
 * of its paths. Browsers on this machine use no TLS; they send cookies to all ports of a host, so the name has the port:
 * two installations on one machine do not sign each other out.
 */
function cookieName(request: CookieRequest, config: Public): { readonly name: string; readonly isSecure: boolean } {
  const { hostname, port } = hostOf(request)
  const isLocal = isLoopback(hostname) && !(config.PUBLIC_URL ?? '').startsWith('https:')
  return isLocal
    ? { name: `tollgate_session_${port}`, isSecure: false }
    : { name: '__Host-tollgate_session', isSecure: true }
}

/** The host that the browser requested. */
export function hostOf({ headers }: CookieRequest): { readonly hostname: string; readonly port: string } {
  const [, bracketed, plain = '', port = '80'] =
    /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(headers.host ?? '') ?? []
  return { hostname: (bracketed ?? plain).toLowerCase(), port }
}

/** The token of the session that the browser sent; null if there is none. */
export function sessionCookie(request: CookieRequest, config: Public): string | null {
  return cookieValue(request, cookieName(request, config).name)
}

/** The header that gives the browser its session. Sent once: the server alone decides when the session expires. */
export function sessionCookieHeader(request: CookieRequest, config: Public, token: string, maxAgeMs: number): string {
  return headerOf(cookieName(request, config), token, Math.floor(maxAgeMs / 1_000))
}

/** The header that removes the session from the browser. */
export function endedCookieHeader(request: CookieRequest, config: Public): string {
  return headerOf(cookieName(request, config), '', 0)
}

function headerOf({ name, isSecure }: ReturnType<typeof cookieName>, value: string, seconds: number): string {
  const secure = isSecure ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

/**
 * The value of a cookie; null if it is missing. Two values under one name are refused as well: one of them was set by
 * another site of the same host, and nothing tells which.
 */
function cookieValue({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | null {
  const values = new Set(
    (headers.cookie ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${name}=`))
      .map((pair) => pair.slice(name.length + 1)),
  )
  const [value, ...others] = values
  return value === undefined || value === '' || others.length > 0 ? null : value
}
