import { expect, test } from 'vitest'
import { BodyChunks } from './bodyChunks.ts'

test('chunks of all sizes come out in order', () => {
  const chunks = new BodyChunks()
  const sent = Array.from({ length: 3_000 }, (_, n) => Buffer.alloc(n % 7 === 0 ? 1_500 + n : n % 40, n % 251))
  for (const chunk of sent) chunks.add(chunk)
  expect(chunks.whole().equals(Buffer.concat(sent))).toBe(true)
})

test('a single chunk is not copied', () => {
  const chunks = new BodyChunks()
  const only = Buffer.from('all of it')
  chunks.add(only)
  expect(chunks.whole()).toBe(only)
})

test('no chunk is an empty body', () => {
  expect(new BodyChunks().whole()).toHaveLength(0)
})

test('bytes that arrive one by one are kept in a few buffers', () => {
  const chunks = new BodyChunks()
  for (let n = 0; n < 200_000; n++) chunks.add(Buffer.from('x'))
  expect(chunks.pieces().length).toBeLessThan(20)
  expect(chunks.whole()).toHaveLength(200_000)
})
