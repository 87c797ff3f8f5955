import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { DocumentCache } from './documentCache.ts'

const document = parse('{ a }')

test('documents are cached by their text up to a total number of characters', () => {
  const cache = new DocumentCache(10)
  cache.set('aaaa', document)
  cache.set('bbbb', document)
  expect(cache.get('aaaa')).toBe(document)
  cache.set('cccc', document)
  // The one not used in between is evicted.
  expect(['aaaa', 'bbbb', 'cccc'].filter((text) => cache.get(text))).toEqual(['aaaa', 'cccc'])
})

test('a document over the limit is not cached and evicts nothing', () => {
  const cache = new DocumentCache(10)
  cache.set('aaaa', document)
  cache.set('b'.repeat(11), document)
  expect(cache.get('aaaa')).toBe(document)
  expect(cache.get('b'.repeat(11))).toBeUndefined()
})

test('a document that is set twice counts once', () => {
  const cache = new DocumentCache(10)
  for (const text of ['aaaa', 'aaaa', 'aaaa', 'bbbb']) cache.set(text, document)
  expect(cache.get('aaaa')).toBe(document)
})
