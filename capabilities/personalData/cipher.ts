import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** The decompressed size of one personal field. */
const PERSONAL_TEXT_BYTES_MAX = 4 * 1024 * 1024

/** The stored form of a personal field: format version, subject and ciphertext. */
const SEALED = /^~personal\.1\.([^.]+)\.([\w-]+)$/
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Compresses first, so that a body of the maximum event size still fits into an event after base64. */
export function seal(text: string, subject: string, key: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(subject))
  const sealed = Buffer.concat([cipher.update(deflateRawSync(text)), cipher.final()])
  return `~personal.1.${subject}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

/** For files, which are not compressed because most already are. */
export function sealBytes(bytes: Buffer, subject: string, key: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(subject))
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

export function unsealBytes(sealed: Buffer, subject: string, key: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(subject))
    .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}

/** The subject of a stored text; null if the text is not encrypted. */
export function subjectOf(stored: string): string | null {
  return SEALED.exec(stored)?.[1] ?? null
}

export function unseal(stored: string, key: Buffer): string {
  const [, subject = '', body = ''] = SEALED.exec(stored) ?? []
  const bytes = Buffer.from(body, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(subject))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const squeezed = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  return inflateRawSync(squeezed, { maxOutputLength: PERSONAL_TEXT_BYTES_MAX }).toString()
}
