import { sign, verify } from 'node:crypto'
import { keyIdOf, type SigningKey, type VerifierKey } from '../../platform/secrets/noteKeys.ts'

/** C2SP signed-note requires that at least 16 are accepted. */
const SIGNATURES_MAX = 100
const ID_BYTES = 4

/** A C2SP signed note: the text, an empty line, and one signature per key. */
export function signNote(text: string, keys: readonly SigningKey[]): string {
  if (!isNoteText(text)) throw new Error('the text of a note ends with a newline and has no other control characters')
  if (keys.length === 0) throw new Error('a note is signed by at least one key')
  const lines = keys.map(({ name, id, privateKey }) => {
    const bytes = Buffer.alloc(ID_BYTES)
    bytes.writeUInt32BE(id)
    return `— ${name} ${Buffer.concat([bytes, sign(null, Buffer.from(text), privateKey)]).toString('base64')}\n`
  })
  return `${text}\n${lines.join('')}`
}

/** C2SP tlog-cosignature: the identifier of Ed25519 signatures of checkpoints that have a time. */
const TIMESTAMPED_ED25519 = 4
const TIME_BYTES = 8

/**
 * A C2SP tlog-checkpoint that says when it was signed: a second signature by each key (C2SP tlog-cosignature) covers
 * text and time. Verifiers that do not know this kind of signature ignore it.
 */
export function signCheckpoint(text: string, keys: readonly SigningKey[], atMs: number): string {
  const seconds = Math.floor(atMs / 1000)
  const lines = keys.map((key) => {
    const bytes = Buffer.alloc(ID_BYTES + TIME_BYTES)
    bytes.writeUInt32BE(keyIdOf(key, TIMESTAMPED_ED25519))
    bytes.writeBigUInt64BE(BigInt(seconds), ID_BYTES)
    const signature = sign(null, Buffer.from(timedText(text, seconds)), key.privateKey)
    return `— ${key.name} ${Buffer.concat([bytes, signature]).toString('base64')}\n`
  })
  return signNote(text, keys) + lines.join('')
}

const timedText = (text: string, seconds: number | bigint): string => `cosignature/v1\ntime ${seconds}\n${text}`

/** When one of the keys signed the checkpoint, in milliseconds; null if none of them says. A wrong signature is an error. */
export function signedAtMs(note: string, keys: readonly VerifierKey[]): number | null {
  const { text, signatures } = parseNote(note)
  let atMs: number | null = null
  for (const { name, bytes } of signatures) {
    const id = bytes.readUInt32BE()
    const key = keys.find((known) => known.name === name && keyIdOf(known, TIMESTAMPED_ED25519) === id)
    if (key === undefined || bytes.length < ID_BYTES + TIME_BYTES) continue
    const seconds = bytes.readBigUInt64BE(ID_BYTES)
    const signature = bytes.subarray(ID_BYTES + TIME_BYTES)
    if (!verify(null, Buffer.from(timedText(text, seconds)), key.publicKey, signature)) {
      throw new Error(`the signature of ${name} does not fit the time of the checkpoint`)
    }
    atMs = Number(seconds) * 1000
  }
  return atMs
}

/**
 * The text of a note that at least one of the keys has signed. Signatures of other keys are ignored; a wrong one of a
 * given key is an error.
 */
export function openNote(note: string, keys: readonly VerifierKey[]): string {
  const { text, signatures } = parseNote(note)
  let verified = 0
  for (const { name, bytes } of signatures) {
    const key = keys.find((known) => known.name === name && known.id === bytes.readUInt32BE())
    if (key === undefined) continue
    if (!verify(null, Buffer.from(text), key.publicKey, bytes.subarray(ID_BYTES))) {
      throw new Error(`the signature of ${name} does not fit the note`)
    }
    verified += 1
  }
  if (verified === 0) throw new Error('none of the given keys has signed the note')
  return text
}

/** The text and the signatures of a note, unverified. */
export function parseNote(note: string): { text: string; signatures: readonly { name: string; bytes: Buffer }[] } {
  const end = note.lastIndexOf('\n\n') + 1
  const text = note.slice(0, end)
  const lines = note.slice(end + 1).split('\n')
  if (end === 0 || !isNoteText(text) || lines.pop() !== '') throw new Error('this is not a signed note')
  if (lines.length > SIGNATURES_MAX) throw new Error(`a note has at most ${SIGNATURES_MAX} signatures`)
  const signatures = lines.map((line) => {
    const [, name, base64 = ''] = /^— (\S+) ([A-Za-z0-9+/]+=*)$/.exec(line) ?? []
    const bytes = Buffer.from(base64, 'base64')
    if (name === undefined || bytes.length <= ID_BYTES) throw new Error('a signature line of the note is malformed')
    return { name, bytes }
  })
  return { text, signatures }
}

/** Whole characters only, since UTF-8 has no others; newline is the only control character. */
const isNoteText = (text: string): boolean =>
  text.endsWith('\n') && text.isWellFormed() && !/\p{Cc}/u.test(text.replaceAll('\n', ''))
