import { hash, randomBytes } from 'node:crypto'

export const KEY_PREFIX = 'tg_'
const HINT_CHARS = 8

export type RawKey = { readonly raw: string; readonly hash: string; readonly hint: string }

/**
 * A raw key made at set-up, before any gateway is running: backends mint keys that gateways recognise as new
 * (keyStamp.ts). It is shown once; only its hash and its first characters are stored.
 */
export function mintRawKey(): RawKey {
  const raw = KEY_PREFIX + randomBytes(32).toString('base64url')
  return { raw, ...storedPartsOf(raw) }
}

/** The stored part of a raw key. */
export function storedPartsOf(raw: string): Omit<RawKey, 'raw'> {
  return { hash: hashRawKey(raw), hint: raw.slice(0, HINT_CHARS) }
}

/** A raw key has at least 176 random bits, so a plain SHA-256 is safe to store. */
export function hashRawKey(raw: string): string {
  return hash('sha256', raw, 'hex')
}
