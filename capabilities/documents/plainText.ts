import { isUtf8 } from 'node:buffer'
import { DOCUMENT_TEXT_CHARS_MAX } from '../../contracts/limits.ts'
import { Unreadable } from './unreadable.ts'

const UTF16_MARKS: readonly (readonly [string, string])[] = [
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]

const BYTE_ORDER_MARK_BYTES = 3
/** A character of a string takes at most three bytes in UTF-8, two in UTF-16 and one in Windows-1252. */
const TEXT_BYTES_MAX = 3 * DOCUMENT_TEXT_CHARS_MAX + BYTE_ORDER_MARK_BYTES
export const TEXT_TOO_LONG = `The text is longer than ${DOCUMENT_TEXT_CHARS_MAX} characters.`

/** The text of a TXT file: UTF-8, UTF-16 with a byte order mark, or else Windows-1252, as old editors write it. */
export function readPlainText(bytes: Buffer): string {
  // A text that is certainly too long is not decoded, which would block the main thread.
  if (bytes.length > TEXT_BYTES_MAX) throw new Unreadable(TEXT_TOO_LONG)
  const mark = bytes.subarray(0, 2).toString('hex')
  const utf16 = UTF16_MARKS.find(([known]) => known === mark)?.[1]
  const text = new TextDecoder(utf16 ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')).decode(bytes)
  if (hasControls(text)) throw new Unreadable('The file is not text.')
  return text
}

/** Whether the text has control characters that no editor writes but binary files are full of. */
function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x09 || (code > 0x0d && code < 0x1b)) return true
  }
  return false
}
