import { sign, verify } from 'node:crypto'
import type { SigningKey, VerifierKey } from './noteKeys.ts'

/** C2SP signed-note demands that at least 16 are read. */
const SIGNATURES_MAX = 100
const ID_BYTES = 4

/** A C2SP signed note: the text, an empty line, and a signature of each key. */
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

/** The text and the signatures of a note, not verified. */
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

/** Whole characters only, since UTF-8 has no others, and newline is the only control character. */
const isNoteText = (text: string): boolean =>
  text.endsWith('\n') && text.isWellFormed() && !/\p{Cc}/u.test(text.replaceAll('\n', ''))
