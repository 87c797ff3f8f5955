import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

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

const MAPPED_IPV4 = /^::ffff:(\d+(?:\.\d+){3})$/i

/** What one caller can be expected to have: an IPv4 address, or the 2^64 IPv6 addresses of one network. */
export function networkOf(address: string): string {
  const mapped = MAPPED_IPV4.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::', 2)
  const groups = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':').length : 0
  while (tail !== undefined && groups.length < 8 - after) groups.push('0')
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
