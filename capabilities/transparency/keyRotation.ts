import { parseVerifierKey, type SigningKey } from '../../platform/secrets/noteKeys.ts'
import { openNote, signNote } from './note.ts'

/** No checkpoint begins with it, because it is not an origin, and no statement. */
const ROTATION_VERSION = 'tollgate/key-rotation/v1'

/** A key of the log was replaced. */
export type KeyRotation = {
  readonly origin: string
  readonly oldVkey: string
  readonly newVkey: string
  /** Of the last checkpoint before it. Larger trees count as signed only if the new key has signed them. */
  readonly size: number
  /** ISO 8601. */
  readonly rotatedAt: string
}

const rotationText = ({ origin, oldVkey, newVkey, size, rotatedAt }: KeyRotation): string =>
  [
    ROTATION_VERSION,
    `origin ${origin}`,
    `old ${oldVkey}`,
    `new ${newVkey}`,
    `size ${size}`,
    `at ${rotatedAt}`,
    '',
  ].join('\n')

/** Both keys sign: the old one names its successor, and the new one proves possession. */
export function signRotation(
  rotation: Omit<KeyRotation, 'oldVkey' | 'newVkey'>,
  { from, to }: { readonly from: SigningKey; readonly to: SigningKey },
): { readonly oldVkey: string; readonly newVkey: string; readonly note: string } {
  const keys = { oldVkey: from.vkey, newVkey: to.vkey }
  return { ...keys, note: signNote(rotationText({ ...rotation, ...keys }), [from, to]) }
}

/** Throws unless the note says this and both keys have signed it. */
export function verifyRotation(rotation: KeyRotation, note: string): void {
  const [older, newer] = [rotation.oldVkey, rotation.newVkey].map(parseVerifierKey)
  if (!older || !newer || older.name !== rotation.origin || newer.name !== rotation.origin) {
    throw new Error(`a key of the rotation does not have the name ${rotation.origin}`)
  }
  for (const key of [older, newer]) {
    if (openNote(note, [key]) !== rotationText(rotation)) throw new Error('the note is about another rotation')
  }
}
