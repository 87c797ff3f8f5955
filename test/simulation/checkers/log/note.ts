import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'

/** The DER prefix of an Ed25519 public key (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')
const TIMED = 4

export type VerifierKey = {
  readonly name: string
  readonly id: string
  /** Of signatures with a time (C2SP tlog-cosignature). */
  readonly timedId: string
  readonly publicKey: KeyObject
}

/** A verifier key of C2SP signed-note: name, id and key. */
export function verifierKey(vkey: string): VerifierKey {
  // The key itself may contain a plus.
  const [name = '', id = '', ...base64] = vkey.split('+')
  const key = Buffer.from(base64.join('+'), 'base64')
  const timedId = createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.of(TIMED))
    .update(key.subarray(1))
    .digest('hex')
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI, key.subarray(1)]), format: 'der', type: 'spki' })
  return { name, id, timedId: timedId.slice(0, 8), publicKey }
}

export type Checkpoint = {
  readonly origin: string
  readonly size: number
  readonly root: string
  readonly signedMs: number
}

/** The checkpoint of a signed note; a text that says what is wrong with it, if its signatures are not right. */
export function openCheckpoint(note: string, key: VerifierKey): Checkpoint | string {
  const end = note.indexOf('\n\n') + 1
  const text = note.slice(0, end)
  const [origin = '', size = '', root = ''] = text.split('\n')
  const signatures = note
    .slice(end + 1)
    .trimEnd()
    .split('\n')
  let isSigned = false
  let signedMs: number | null = null
  for (const line of signatures) {
    const [dash, name, base64 = ''] = line.split(' ')
    const bytes = Buffer.from(base64, 'base64')
    const [id, signature] = [bytes.subarray(0, 4).toString('hex'), bytes.subarray(4)]
    if (dash !== '—' || name !== key.name) return `the note has the line ${line}`
    if (id === key.id) {
      if (!verify(null, Buffer.from(text), key.publicKey, signature)) return 'the signature of the note is wrong'
      isSigned = true
    } else if (id === key.timedId) {
      const seconds = signature.readBigUInt64BE()
      const timed = Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`)
      if (!verify(null, timed, key.publicKey, signature.subarray(8))) return 'the signature with the time is wrong'
      signedMs = Number(seconds) * 1_000
    }
  }
  if (!isSigned || signedMs === null) return 'the note is not signed by the key of the log, with and without a time'
  return { origin, size: Number(size), root, signedMs }
}
