import { expect, test } from 'vitest'
import { foundName } from './foundName.ts'

const NAMES = ['svc/chat', 'svc/chat-large', 'svc/embed']

test('part of a name means the only name that contains it', () => {
  expect(foundName(' EMB', NAMES)).toBe('svc/embed')
  expect(foundName('large', NAMES)).toBe('svc/chat-large')
})

test('a whole name is meant although others contain it', () => {
  expect(foundName('svc/chat', NAMES)).toBe('svc/chat')
})

test('part of several names means none of them', () => {
  expect(foundName('chat', NAMES)).toBeNull()
})

test('a text that no known name contains is kept, and an empty one removes the filter', () => {
  expect(foundName('svc/older', NAMES)).toBe('svc/older')
  expect(foundName('  ', NAMES)).toBe('')
})
