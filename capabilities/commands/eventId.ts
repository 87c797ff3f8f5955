import { hash } from 'node:crypto'

/** Must never change: every deterministic id derives from it. */
const NAMESPACE = Buffer.from('b0f1c9a46b7e5c1d9a537d1f0e6c2a18', 'hex')

/** The same key gives the same id on every machine and after every restart: a UUID of version 5. */
export function deterministicId(key: string): string {
  const bytes = Buffer.allocUnsafe(NAMESPACE.length + Buffer.byteLength(key))
  NAMESPACE.copy(bytes)
  bytes.write(key, NAMESPACE.length)
  const digest = hash('sha1', bytes, 'hex')
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}
