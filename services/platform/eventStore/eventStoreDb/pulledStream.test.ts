import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { PulledStream } from './pulledStream.ts'

const open = () => {
  const stream = new Readable({ objectMode: true, read: () => {} })
  return { stream, pulled: new PulledStream<number>(stream) }
}

test('taking returns the buffered items up to the limit, then waits for more', async () => {
  const { stream, pulled } = open()
  for (const n of [1, 2, 3]) stream.push(n)
  await pulled.more()
  expect(pulled.take(2)).toEqual([1, 2])
  await pulled.more()
  expect(pulled.take(2)).toEqual([3])
  expect(pulled.take(2)).toEqual([])
  const more = pulled.more()
  stream.push(4)
  await more
  expect(pulled.take(2)).toEqual([4])
})

test('an end that arrives between two takes is found by the next one', async () => {
  const { stream, pulled } = open()
  const more = pulled.more()
  // Adding a listener to a new stream makes it emit readable once.
  await turn()
  stream.push(1)
  await more
  expect(pulled.take(10)).toEqual([1])
  stream.push(null)
  await turn()
  await pulled.more()
  expect(pulled.take(10)).toEqual([])
  await pulled.more()
  expect(pulled.ended).toBe(true)
})

test('an error is thrown after everything before it was taken', async () => {
  const { stream, pulled } = open()
  stream.push(1)
  await pulled.more()
  stream.emit('error', new Error('cut'))
  await pulled.more()
  expect(pulled.take(10)).toEqual([1])
  expect(() => pulled.take(10)).toThrow('cut')
})
