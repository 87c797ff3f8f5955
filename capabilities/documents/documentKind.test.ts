import { expect, test } from 'vitest'
import { kindOf } from './documentKind.ts'

const bytes = Buffer.from('Ten years of Go')
const OCTETS = 'application/octet-stream'

test.each([
  ['cv.txt', OCTETS],
  ['cv.TXT', ''],
  ['cv', 'text/plain; charset=utf-8'],
  ['cv', OCTETS],
])('a text file is known by its name or its type: %s, %s', (name, contentType) => {
  expect(kindOf({ name, contentType, bytes })).toBe('txt')
})

test.each([
  ['a.constructor', OCTETS],
  ['a.__proto__', OCTETS],
  ['a.toString', 'text/html'],
  ['a', 'constructor'],
  ['a', '__proto__'],
])('names that every object has are no types of files: %s, %s', (name, contentType) => {
  expect(() => kindOf({ name, contentType, bytes })).toThrow(/is not supported; send a PDF, DOCX or TXT file/)
})
