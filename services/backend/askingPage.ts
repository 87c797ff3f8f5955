import type { IncomingMessage } from 'node:http'
import type { Config } from '../../platform/config/config.ts'

type PageRequest = Pick<IncomingMessage, 'headers' | 'method'>
type Public = Pick<Config, 'PUBLIC_URL'>

/**
 * Which page makes the browser send a request. own: one of this server; foreign: any other; unknown: the caller is not a
 * browser, or a person typed the address.
 */
export type AskingPage = 'own' | 'foreign' | 'unknown'

/** Scripts can set neither header. Browsers that send no Sec-Fetch-Site send Origin with everything but a plain GET. */
export function askingPage({ headers }: PageRequest, config: Public): AskingPage {
  const site = headers['sec-fetch-site']
  if (site === 'same-origin') return 'own'
  if (site !== undefined && site !== 'none') return 'foreign'
  const { origin } = headers
  if (origin === undefined) return 'unknown'
  return isOwnOrigin(origin, headers.host, config) ? 'own' : 'foreign'
}

/** The host alone decides behind a proxy that keeps it; one that does not is why PUBLIC_URL counts too. */
function isOwnOrigin(origin: string, host: string | undefined, { PUBLIC_URL: publicUrl }: Public): boolean {
  if (!URL.canParse(origin)) return false
  const page = new URL(origin)
  if (publicUrl !== undefined && page.origin === new URL(publicUrl).origin) return true
  // A page of the same host without TLS may come from anyone in between.
  if (page.protocol !== 'https:' && (publicUrl ?? '').startsWith('https:')) return false
  return page.host === host?.toLowerCase()
}

/**
 * Whether the cookie of a request may count. A page of another site must not act in the name of the person who opened it;
 * the cookie is SameSite=Strict, but other ports and subdomains of a host are the same site. Following a link changes nothing.
 */
export function mayUseCookie(request: PageRequest, config: Public): boolean {
  const page = askingPage(request, config)
  if (page === 'own' || request.method !== 'GET') return page === 'own'
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = request.headers
  return page === 'unknown' || (mode === 'navigate' && destination === 'document')
}
