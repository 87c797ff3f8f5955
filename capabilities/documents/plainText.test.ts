import { expect, test } from 'vitest'
import { DOCUMENT_TEXT_CHARS_MAX } from '../../contracts/limits.ts'
import { readPlainText, TEXT_TOO_LONG } from './plainText.ts'

test.each([
  ['UTF-8', Buffer.from('Zoë – 1 €')],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffZoë – 1 €')],
  ['UTF-16 little-endian', Buffer.from('\ufeffZoë – 1 €', 'utf16le')],
  ['UTF-16 big-endian', Buffer.from('\ufeffZoë – 1 €', 'utf16le').swap16()],
  ['Windows-1252', Buffer.from([0x5a, 0x6f, 0xeb, 0x20, 0x96, 0x20, 0x31, 0x20, 0x80])],
])('%s is read', (_, bytes) => {
  expect(readPlainText(bytes)).toBe('Zoë – 1 €')
})

test('a file that certainly has too many characters is refused before it is decoded', () => {
  const longest = '€'.repeat(DOCUMENT_TEXT_CHARS_MAX)
  expect(readPlainText(Buffer.from(`\ufeff${longest}`))).toBe(longest)
  expect(() => readPlainText(Buffer.alloc(10 * 1024 * 1024))).toThrow(TEXT_TOO_LONG)
})

test('a file with control characters is refused', () => {
  expect(() => readPlainText(Buffer.from([0x41, 0x00, 0x42]))).toThrow('not text')
})
