import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { KEY_PREFIX, type RawKey, storedPartsOf } from './rawKeys.ts'

const RANDOM_BYTES = 22
const MINUTE_BYTES = 4
const MAC_BYTES = 6
const STAMPED_BYTES = RANDOM_BYTES + MINUTE_BYTES
const KEY_BYTES = STAMPED_BYTES + MAC_BYTES
const KEY_CHARS = KEY_PREFIX.length + Math.ceil((KEY_BYTES * 4) / 3)

const MINUTE_MS = 60_000
/** A key counts as new for this long after the minute in which it was minted. */
const NEW_KEY_MS = 2 * MINUTE_MS
/** The clock of the backend that minted a key may be ahead of the gateway's by this much. */
const CLOCK_AHEAD_MS_MAX = 2 * MINUTE_MS

/**
 * Mints raw keys that carry their minute and a MAC, so that a gateway that does not know a key can tell whether this
 * installation has just minted it. The secret is derived from INTERNAL_TOKEN, which every service has. With the secret,
 * one can make a gateway wait for a key that does not exist, but nothing else: only a stored hash admits a call.
 */
export class KeyStamp {
  readonly #secret: Uint8Array

  constructor(internalToken: string) {
    this.#secret = new Uint8Array(hkdfSync('sha256', internalToken, '', 'tollgate/minted-keys/v1', 32))
  }

  /** A new raw key. It is shown once; only its hash and its first characters are stored. */
  mint(nowMs: number): RawKey {
    const bytes = Buffer.alloc(KEY_BYTES)
    randomBytes(RANDOM_BYTES).copy(bytes)
    bytes.writeUInt32BE(Math.floor(nowMs / MINUTE_MS), RANDOM_BYTES)
    this.#macOf(bytes).copy(bytes, STAMPED_BYTES, 0, MAC_BYTES)
    const raw = KEY_PREFIX + bytes.toString('base64url')
    return { raw, ...storedPartsOf(raw) }
  }

  /** Whether this installation minted the key within the last minutes. The time is checked first, because that is cheap. */
  isNew(raw: string, nowMs: number): boolean {
    if (raw.length !== KEY_CHARS || !raw.startsWith(KEY_PREFIX)) return false
    const bytes = Buffer.from(raw.slice(KEY_PREFIX.length), 'base64url')
    if (bytes.length !== KEY_BYTES) return false
    const mintedAtMs = bytes.readUInt32BE(RANDOM_BYTES) * MINUTE_MS
    if (nowMs >= mintedAtMs + MINUTE_MS + NEW_KEY_MS || nowMs < mintedAtMs - CLOCK_AHEAD_MS_MAX) return false
    return timingSafeEqual(this.#macOf(bytes).subarray(0, MAC_BYTES), bytes.subarray(STAMPED_BYTES))
  }

  #macOf(bytes: Buffer): Buffer {
    return createHmac('sha256', this.#secret).update(bytes.subarray(0, STAMPED_BYTES)).digest()
  }
}
