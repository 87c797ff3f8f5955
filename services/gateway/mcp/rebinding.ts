import type { IncomingMessage } from 'node:http'

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/**
 * Detects DNS rebinding: a web page can make a name of its own resolve to this machine and then call a server on it as if
 * it were the page's own. A server on loopback therefore accepts only loopback names as Host, and an Origin must be the
 * host that is called or this machine.
 */
export function isRebound(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: number,
): boolean {
  const host = hostname(`http://${headers.host ?? ''}`)
  if (host === null) return true
  const isLocal = LOOPBACK_HOST.test(socket.localAddress === '::1' ? '[::1]' : (socket.localAddress ?? ''))
  // Behind trusted proxies the Host is the name of the proxy.
  if (isLocal && trustedProxies === 0 && !LOOPBACK_HOST.test(host)) return true
  const { origin } = headers
  if (origin === undefined) return false
  const page = hostname(origin)
  return page === null || (page !== host && !LOOPBACK_HOST.test(page))
}

function hostname(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname || null : null
}
