import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/**
 * The caller's address. Behind trusted proxies it is the one that the outermost of them saw: that many places from the
 * right in X-Forwarded-For. Entries further left come from the caller and prove nothing.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const peer = request.socket.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return peer
  const header = request.headers['x-forwarded-for']
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((part) => part.trim())
  return withoutPort(forwarded.at(-trustedProxies) ?? '') || peer
}

const IPV4_AND_PORT = /^(\d+(?:\.\d+){3}):\d*$/
const BRACKETED_IPV6 = /^\[([^\]]*)\](?::\d*)?$/

/** Some proxies add the port, which differs for each connection of a caller. */
function withoutPort(entry: string): string {
  return IPV4_AND_PORT.exec(entry)?.[1] ?? BRACKETED_IPV6.exec(entry)?.[1] ?? entry
}

const MAPPED_IPV4 = /^::ffff:(\d+(?:\.\d+){3})$/i
const MAPPED_IPV4_GROUPS = /^(?:0:){5}ffff:([0-9a-f]+):([0-9a-f]+)$/

/** The addresses that one caller can be expected to have: one IPv4 address, or the 2^64 of one IPv6 network. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const mapped = MAPPED_IPV4.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.replace(/%.*/, '').split('::', 2)
  const groups = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  while (tail !== undefined && groups.length < 8 - after.length) groups.push('0')
  const all = [...groups, ...after].map((group) => Number.parseInt(group, 16).toString(16))
  const [, high, low] = MAPPED_IPV4_GROUPS.exec(all.join(':')) ?? []
  return high && low ? [...bytesOf(high), ...bytesOf(low)].join('.') : all.slice(0, 4).join(':')
}

function bytesOf(group: string): [number, number] {
  const value = Number.parseInt(group, 16)
  return [value >> 8, value & 0xff]
}
