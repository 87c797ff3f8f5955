import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Of one personal field, when it is read again. */
const PERSONAL_TEXT_BYTES_MAX = 4 * 1024 * 1024

/** What a personal field is stored as: the version of this form, whose it is, and what only that key can read. */
const SEALED = /^~personal\.1\.([^.]+)\.([\w-]+)$/
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Squeezed first: a body that is as long as an event may be still fits into one, although base64 makes it longer. */
export function seal(text: string, subject: string, key: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(subject))
  const sealed = Buffer.concat([cipher.update(deflateRawSync(text)), cipher.final()])
  return `~personal.1.${subject}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

/** A file, which is not squeezed: most are already. */
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

/** Whose a stored text is; null: it is not sealed. */
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
