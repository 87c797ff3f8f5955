import type { IncomingMessage } from 'node:http'

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/**
 * A web page can make a name of its own point at this machine and then call what listens on it as if it were its own
 * server. Whoever listens on loopback is therefore only called by a name of loopback; and a browser that tells where its
 * page is from must have it from the host that it calls, or from this machine.
 */
export function isRebound(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: number,
): boolean {
  const host = hostname(`http://${headers.host ?? ''}`)
  if (host === null) return true
  const isLocal = LOOPBACK_HOST.test(socket.localAddress === '::1' ? '[::1]' : (socket.localAddress ?? ''))
  // Behind proxies of ours the name is the one that these are called by.
  if (isLocal && trustedProxies === 0 && !LOOPBACK_HOST.test(host)) return true
  const { origin } = headers
  if (origin === undefined) return false
  const page = hostname(origin)
  return page === null || (page !== host && !LOOPBACK_HOST.test(page))
}

function hostname(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname || null : null
}
