import type { IncomingMessage } from 'node:http'

/**
 * Who called. Behind proxies the caller's address is the one that the outermost trusted proxy saw: so many places from
 * the right in X-Forwarded-For. What stands further left was written by the caller and proves nothing.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const peer = request.socket.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return peer
  const header = request.headers['x-forwarded-for']
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((part) => part.trim())
  return forwarded.at(-trustedProxies) || peer
}
