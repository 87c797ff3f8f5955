import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const TAG = { authTagLength: TAG_BYTES }

/**
 * Encrypts data so that only the holder of a raw API key can read it: the encryption keys are derived from the raw key,
 * of which only a hash is stored. If the raw key is lost, so is the data.
 */
export class Vault {
  readonly #sealingKey: Buffer
  readonly #markingKey: Buffer

  constructor(rawKey: string) {
    const derived = Buffer.from(hkdfSync('sha256', rawKey, '', 'tollgate answer store', 2 * KEY_BYTES))
    this.#sealingKey = derived.subarray(0, KEY_BYTES)
    this.#markingKey = derived.subarray(KEY_BYTES)
  }

  /** A keyed hash of the content. Without the key it cannot even confirm a guess. */
  mark(content: string | Buffer): string {
    return createHmac('sha256', this.#markingKey).update(content).digest('base64url')
  }

  /** Opens only with the same context, so that a sealed response cannot be swapped for another. */
  seal(plain: Buffer, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#sealingKey, nonce, TAG).setAAD(Buffer.from(context))
    const encrypted = cipher.update(plain)
    cipher.final()
    return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
  }

  open(sealed: Buffer, context: string): Buffer {
    const nonce = sealed.subarray(0, NONCE_BYTES)
    const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
    const decipher = createDecipheriv(CIPHER, this.#sealingKey, nonce, TAG).setAAD(Buffer.from(context)).setAuthTag(tag)
    const plain = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))
    decipher.final()
    return plain
  }
}
