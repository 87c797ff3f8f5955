import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/** C2SP signed-note: the identifier of Ed25519 signatures. */
const ED25519 = 1
const KEY_BYTES = 32
/** The DER around a raw key, fixed by RFC 8410. */
const PRIVATE_DER = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_DER = Buffer.from('302a300506032b6570032100', 'hex')

export type VerifierKey = { readonly name: string; readonly id: number; readonly publicKey: KeyObject }
export type SigningKey = VerifierKey & { readonly privateKey: KeyObject; readonly vkey: string; readonly text: string }

/** A key with this name, from 32 random bytes. */
export function signingKey(name: string, seed: Uint8Array): SigningKey {
  if (!isKeyName(name))
    throw new Error(`${JSON.stringify(name)} cannot name a key: it is empty, or has a space or a plus`)
  const privateKey = createPrivateKey({ key: Buffer.concat([PRIVATE_DER, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey)
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES)
  const id = keyId(name, raw)
  const encode = (bytes: Uint8Array) => `${name}+${hex(id)}+${Buffer.from([ED25519, ...bytes]).toString('base64')}`
  return { name, id, publicKey, privateKey, vkey: encode(raw), text: `PRIVATE+KEY+${encode(seed)}` }
}

/** A key with the same seed and another name. */
export function renamedKey(key: SigningKey, name: string): SigningKey {
  if (key.name === name) return key
  const seed = key.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES)
  return signingKey(name, seed)
}

/** Reads `PRIVATE+KEY+<name>+<id>+<key>`, the format of private keys for signed notes. Errors do not quote the key. */
export function parseSigningKey(text: string): SigningKey {
  const [, rest] = /^PRIVATE\+KEY\+(.+)$/.exec(text) ?? []
  if (rest === undefined) throw new Error('a signing key begins with PRIVATE+KEY+')
  const { name, id, bytes } = parseKey(rest, 'signing key')
  const key = signingKey(name, bytes)
  if (key.id !== id) throw new Error(`the signing key of ${name} does not have the id ${hex(id)} that it states`)
  return key
}

/** Several keys are separated by commas, but their names may contain commas too. */
export const splitSigningKeys = (text: string): string[] => text.split(/,(?=PRIVATE\+KEY\+)/)

export function isSigningKey(text: string): boolean {
  try {
    parseSigningKey(text)
    return true
  } catch {
    return false
  }
}

/** Reads `<name>+<id>+<key>`, the format of C2SP verifier keys. */
export function parseVerifierKey(vkey: string): VerifierKey {
  const { name, id, bytes } = parseKey(vkey, 'verifier key')
  if (keyId(name, bytes) !== id) throw new Error(`the verifier key of ${name} does not have the id that it states`)
  const publicKey = createPublicKey({ key: Buffer.concat([PUBLIC_DER, bytes]), format: 'der', type: 'spki' })
  return { name, id, publicKey }
}

/** All Unicode spaces, since a key name ends at the first one. */
export const isKeyName = (name: string): boolean => /^[^\s+\p{Cc}]+$/u.test(name) && name.isWellFormed()

function parseKey(text: string, kind: string): { name: string; id: number; bytes: Uint8Array } {
  const [, name = '', id = '', key = ''] = /^([^+]*)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? []
  const bytes = Buffer.from(key, 'base64')
  if (!isKeyName(name) || bytes.length !== 1 + KEY_BYTES || bytes.toString('base64') !== key) {
    throw new Error(`a ${kind} has a name, an id of eight hexadecimal digits and ${1 + KEY_BYTES} bytes in base64`)
  }
  if (bytes[0] !== ED25519) throw new Error(`the ${kind} of ${name} is not one for Ed25519`)
  return { name, id: Number.parseInt(id, 16), bytes: bytes.subarray(1) }
}

/** The id of the key for another kind of signature. */
export const keyIdOf = ({ name, publicKey }: VerifierKey, kind: number): number =>
  keyId(name, publicKey.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES), kind)

const keyId = (name: string, publicKey: Uint8Array, kind = ED25519): number =>
  createHash('sha256').update(`${name}\n`).update(Uint8Array.of(kind)).update(publicKey).digest().readUInt32BE()

const hex = (id: number): string => id.toString(16).padStart(8, '0')
