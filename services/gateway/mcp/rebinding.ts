import type { IncomingMessage } from 'node:http'

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/**
 * Detects DNS rebinding: a web page can make a name of its own resolve to this machine and then call a server on it as if
 * it were the page's own. A server on loopback therefore accepts only loopback names as Host. An Origin must be the host that
 * is called; on loopback its port, too, because pages at other ports are those of other programs.
 */
export function isRebound(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: number,
): boolean {
  const host = urlOf(`http://${headers.host ?? ''}`)
  if (host === null) return true
  const isLocal = LOOPBACK_HOST.test(socket.localAddress === '::1' ? '[::1]' : (socket.localAddress ?? ''))
  // Behind trusted proxies the Host is the name of the proxy.
  if (isLocal && trustedProxies === 0 && !isLoopback(host)) return true
  const { origin } = headers
  if (origin === undefined) return false
  const page = urlOf(origin)
  if (page === null) return true
  if (isLoopback(page) || isLoopback(host))
    return !isLoopback(page) || !isLoopback(host) || portOf(page) !== portOf(host)
  return page.hostname !== host.hostname
}

function urlOf(text: string): URL | null {
  const url = URL.parse(text)
  return url?.hostname ? url : null
}

function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK_HOST.test(hostname)
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80')
}
