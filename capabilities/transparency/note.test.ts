import { describe, expect, test } from 'vitest'
import { parseSigningKey, parseVerifierKey, signingKey } from '../../platform/secrets/noteKeys.ts'
import { checkpointText, parseCheckpoint } from './checkpoint.ts'
import { EMPTY_ROOT, sha256 } from './hashes.ts'
import { openNote, signNote } from './note.ts'
import { tlogProofText } from './tlogProof.ts'

/** The example of C2SP signed-note. */
const EXAMPLE_VKEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
const EXAMPLE_NOTE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`
/** The example of Go's package note. */
const GO_PRIVATE = 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz'
const GO_VKEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'

const current = signingKey('log.test/ledger', sha256('current'))
const old = signingKey('log.test/ledger', sha256('old'))
const verifiers = (...keys: { vkey: string }[]) => keys.map(({ vkey }) => parseVerifierKey(vkey))

describe('keys of notes', () => {
  test('a published private key has the published public key', () => {
    const key = parseSigningKey(GO_PRIVATE)
    expect(key.vkey).toBe(GO_VKEY)
    expect(key.text).toBe(GO_PRIVATE)
    expect(parseVerifierKey(GO_VKEY)).toMatchObject({ name: 'PeterNeumann', id: 0xc74f20a3 })
  })

  test('a key that is written and read again is the same', () => {
    expect(parseSigningKey(current.text)).toMatchObject({ text: current.text, vkey: current.vkey })
  })

  test.for([
    ['without its prefix', GO_PRIVATE.slice(8)],
    ['with a wrong id', GO_PRIVATE.replace('c74f20a3', 'c74f20a4')],
    ['of another name', GO_PRIVATE.replace('Peter', 'Paul')],
    ['cut short', GO_PRIVATE.slice(0, -4)],
    ['of another algorithm', GO_PRIVATE.replace('+AYEK', '+AoEK')],
    ['that is empty', ''],
  ])('a signing key %s is refused without quoting it', ([, text = '']) => {
    expect(() => parseSigningKey(text)).toThrow(/signing key/)
    expect(() => parseSigningKey(text)).not.toThrow(/KFALVFGyNhPJ/)
  })

  test.for([GO_VKEY.replace('c74f20a3', 'c74f20a4'), GO_VKEY.replace('AR', 'AS'), 'x', ''])(
    'the verifier key %s is refused',
    (vkey) => {
      expect(() => parseVerifierKey(vkey)).toThrow('verifier key')
    },
  )

  test.for(['', 'a b', 'a+b', 'a\nb', 'a\u2003b'])('a key cannot have the name %j', (name) => {
    expect(() => signingKey(name, sha256('x'))).toThrow('cannot name a key')
  })
})

describe('notes', () => {
  test('the example of the specification opens with its key', () => {
    expect(openNote(EXAMPLE_NOTE, [parseVerifierKey(EXAMPLE_VKEY)])).toBe('This is an example message.\n')
  })

  test('a note signed by two keys opens with either of them', () => {
    const note = signNote('text\n\nmore text\n', [current, old])
    for (const key of [current, old]) expect(openNote(note, verifiers(key))).toBe('text\n\nmore text\n')
    expect(note.match(/^— log\.test\/ledger /gm)).toHaveLength(2)
  })

  test('signatures of unknown keys are ignored, but one known key must have signed', () => {
    const note = signNote('text\n', [old])
    expect(openNote(note, verifiers(current, old))).toBe('text\n')
    expect(() => openNote(note, verifiers(current))).toThrow('none of the given keys has signed the note')
    const renamed = signingKey('other.test/ledger', sha256('old'))
    expect(() => openNote(note, verifiers(renamed))).toThrow('none of the given keys has signed the note')
  })

  test('a changed text, or a wrong signature of a known key next to a valid one, is refused', () => {
    const note = signNote('text\n', [current, old])
    expect(() => openNote(note.replace('text', 'Text'), verifiers(current))).toThrow('does not fit the note')
    const [, , line = ''] = signNote('another\n', [old]).split('\n')
    const mixed = [...note.split('\n').slice(0, 3), line, ''].join('\n')
    expect(openNote(mixed, verifiers(current))).toBe('text\n')
    expect(() => openNote(mixed, verifiers(current, old))).toThrow('does not fit the note')
  })

  test.for(['text', 'text\n', 'text\n\n— a b', 'text\n\n- a YWJjZGVm\n', 'te\txt\n\n— a YWJjZGVm\n', ''])(
    '%j is not a note',
    (note) => {
      expect(() => openNote(note, verifiers(current))).toThrow()
    },
  )

  test('a text without a final newline, with a control character or a lone surrogate is not signed', () => {
    for (const text of ['text', 'te\rxt\n', '\ud800\n', ''])
      expect(() => signNote(text, [current])).toThrow('the text of a note')
    expect(() => signNote('text\n', [])).toThrow('at least one key')
  })
})

describe('checkpoints', () => {
  test('have the text of tlog-checkpoint, and are read from it', () => {
    const checkpoint = { origin: 'log.test/ledger', size: 20_852_163, root: sha256('x') }
    const text = checkpointText(checkpoint)
    expect(text).toBe('log.test/ledger\n20852163\nLXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=\n')
    expect(parseCheckpoint(text)).toEqual(checkpoint)
    expect(parseCheckpoint(`${text}an extension\n`)).toEqual(checkpoint)
    expect(parseCheckpoint(checkpointText({ ...checkpoint, size: 0, root: EMPTY_ROOT }))).toMatchObject({ size: 0 })
  })

  const root = Buffer.from(EMPTY_ROOT).toString('base64')
  test.for([
    `o\n01\n${root}\n`,
    `o\n-1\n${root}\n`,
    `o\n1e3\n${root}\n`,
    `\n1\n${root}\n`,
    `o\n1\n${root}`,
    'o\n1\nYQ==\n',
    'o\n1\n',
  ])('%j is not the text of a checkpoint', (text) => {
    expect(() => parseCheckpoint(text)).toThrow('a checkpoint has')
  })
})

describe('proofs as text', () => {
  const hash = sha256('x')
  const line = Buffer.from(hash).toString('base64')
  test('have the form of tlog-proof', () => {
    const proof = { index: 7, inclusion: [hash, hash], checkpoint: 'o\n8\nroot\n\n— o sig\n' }
    expect(tlogProofText(proof)).toBe(`c2sp.org/tlog-proof@v1\nindex 7\n${line}\n${line}\n\no\n8\nroot\n\n— o sig\n`)
    const [, extra = ''] = tlogProofText({ ...proof, consistency: { oldSize: 3, hashes: [hash] } }).split('\n')
    expect(Buffer.from(extra.slice('extra '.length), 'base64').toString()).toBe(`consistency 3\n${line}\n`)
  })
})
