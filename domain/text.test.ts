import { expect, test } from 'vitest'
import { requireText, requireTextOrNull } from './text.ts'

test('only surrounding blanks are removed from a text', () => {
  expect(requireText('  Zürich 東京 🚀\t', 'a name', 20)).toBe('Zürich 東京 🚀')
})

test('the length of a text is measured without surrounding blanks', () => {
  expect(requireText('  abc  ', 'a name', 3)).toBe('abc')
  expect(() => requireText('abcd', 'a name', 3)).toThrow('a name must have at most 3 characters')
})

test.each(['', ' \n\t '])('%j is refused as empty', (text) => {
  expect(() => requireText(text, 'a name', 3)).toThrow('a name must not be empty')
})

test.each(['a\u0000b', 'a\nb', 'a\u007fb', 'a\ud83db', 'a\ude80b'])(
  '%j is refused: no event may have to refuse it',
  (text) => {
    expect(() => requireText(text, 'a name', 20)).toThrow('a name must not contain control characters')
  },
)

test('an optional text is checked only if given', () => {
  expect(requireTextOrNull(null, 'a place', 20)).toBeNull()
  expect(requireTextOrNull(' Bern ', 'a place', 20)).toBe('Bern')
  expect(() => requireTextOrNull(' ', 'a place', 20)).toThrow('a place must not be empty')
})
