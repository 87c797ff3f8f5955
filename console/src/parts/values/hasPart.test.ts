import { expect, test } from 'vitest'
import { hasPart } from './hasPart.ts'

test('part of a name is found in any case of letters', () => {
  expect(hasPart('Ada’s Hiring', ' hiring ')).toBe(true)
  expect(hasPart('svc/chat', 'CHAT')).toBe(true)
  expect(hasPart('svc/chat', 'embed')).toBe(false)
})

test('an empty text is part of every name', () => {
  expect(hasPart('svc/chat', ' ')).toBe(true)
})
