import { createHmac, hash } from 'node:crypto'
import { HASH_BYTES } from './hashes.ts'

/** Also separates the domain of the hash of withheld fields. */
export const WITHHELD_PREFIX = 'tollgate/withheld/v1\n'

/** RFC 2104: the key is padded to a block of the hash, with other bits for the inner hash than for the outer one. */
const BLOCK_BYTES = 64
const INNER_PAD = 0x36
const OUTER_PAD = 0x5c

/** The length of the ids that this program writes. */
const ID_CHARS = 36
const ASCII = /^[\0-\x7f]*$/

/**
 * A company's log secret. A salt is an HMAC-SHA-256, so that one salt says nothing about other entries. Every entry has
 * two, and each Hmac of node:crypto is an object to be garbage-collected, which takes longer than the hashes: so the
 * common start of all salts of a company is prepared once, here.
 */
export class SaltSecret {
  readonly #secret: Uint8Array
  readonly #ofEntry: Buffer
  readonly #ofWithheld: Buffer
  readonly #outer: Buffer

  constructor(secret: Uint8Array) {
    if (secret.length > BLOCK_BYTES)
      throw new Error(`a log secret has ${secret.length} bytes, more than ${BLOCK_BYTES}`)
    this.#secret = secret
    this.#ofEntry = Buffer.concat([padded(secret, INNER_PAD), Buffer.alloc(ID_CHARS)])
    this.#ofWithheld = Buffer.concat([padded(secret, INNER_PAD), Buffer.from(WITHHELD_PREFIX), Buffer.alloc(ID_CHARS)])
    this.#outer = Buffer.concat([padded(secret, OUTER_PAD), Buffer.alloc(HASH_BYTES)])
  }

  /** The salt of an event's entry, which its receipt reveals. One character per byte. */
  saltOf(eventId: string): string {
    return this.#hmac(this.#ofEntry, '', eventId)
  }

  /** Providers and costs can be guessed, so the salt of their hash differs from the one that a receipt reveals. */
  withheldSaltOf(eventId: string): string {
    return this.#hmac(this.#ofWithheld, WITHHELD_PREFIX, eventId)
  }

  #hmac(inner: Buffer, prefix: string, eventId: string): string {
    if (eventId.length !== ID_CHARS || !ASCII.test(eventId)) {
      return createHmac('sha256', this.#secret).update(`${prefix}${eventId}`).digest('binary')
    }
    inner.write(eventId, inner.length - ID_CHARS, 'latin1')
    this.#outer.write(hash('sha256', inner, 'binary'), BLOCK_BYTES, 'latin1')
    return hash('sha256', this.#outer, 'binary')
  }
}

function padded(key: Uint8Array, pad: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES, pad)
  for (const [at, byte] of key.entries()) block[at] = byte ^ pad
  return block
}
