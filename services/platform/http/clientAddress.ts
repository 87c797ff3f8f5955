import type { IncomingMessage } from 'node:http'

/**
 * The caller's address. Behind trusted proxies it is the one that the outermost of them saw: that many places from the
 * right in X-Forwarded-For. Entries further left were written by the caller and prove nothing.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const peer = request.socket.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return peer
  const header = request.headers['x-forwarded-for']
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((part) => part.trim())
  return forwarded.at(-trustedProxies) || peer
}
