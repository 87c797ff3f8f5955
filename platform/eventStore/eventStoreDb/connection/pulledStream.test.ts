import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Pullable, PulledStream } from './pulledStream.ts'

const BUFFER_MAX = 4

function open(opening?: (stream: Pullable<number>) => Promise<Pullable<number>>) {
  const stream = Object.assign(new Readable({ objectMode: true, read: () => {} }), {
    canceled: 0,
    cancel: () => {
      stream.canceled++
    },
  })
  const opened = opening ? opening(stream) : Promise.resolve(stream)
  return { stream, pulled: new PulledStream<number>(opened, BUFFER_MAX) }
}

test('taking returns what has arrived up to the limit, then waits for more', async () => {
  const { stream, pulled } = open()
  for (const n of [1, 2, 3]) stream.push(n)
  await pulled.more()
  await turn()
  expect(pulled.take(2)).toEqual([1, 2])
  await pulled.more()
  expect(pulled.take(2)).toEqual([3])
  expect(pulled.take(2)).toEqual([])
  const more = pulled.more()
  stream.push(4)
  await more
  expect(pulled.take(2)).toEqual([4])
})

test('a call whose items are not taken is paused, and resumed afterwards', async () => {
  const { stream, pulled } = open()
  for (let n = 1; n <= 10; n++) stream.push(n)
  await pulled.more()
  await turn()
  expect(stream.isPaused()).toBe(true)
  expect(stream.readableLength).toBe(10 - BUFFER_MAX)
  const taken: number[] = []
  while (taken.length < 10) {
    await pulled.more()
    taken.push(...pulled.take(3))
  }
  expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('a call has ended when its end has come and everything was taken', async () => {
  const { stream, pulled } = open()
  stream.push(1)
  stream.push(null)
  await pulled.more()
  await turn()
  expect(pulled.ended).toBe(false)
  expect(pulled.take(10)).toEqual([1])
  await pulled.more()
  expect(pulled.ended).toBe(true)
})

test('an error is thrown after everything before it was taken, even if the call ends with it', async () => {
  const { stream, pulled } = open()
  stream.push(1)
  await pulled.more()
  stream.push(null)
  stream.emit('error', new Error('cut'))
  await turn()
  expect(pulled.take(10)).toEqual([1])
  expect(pulled.ended).toBe(false)
  expect(() => pulled.take(10)).toThrow('cut')
})

test('a call that cannot be opened fails', async () => {
  const { pulled } = open(() => Promise.reject(new Error('no node')))
  await pulled.more()
  expect(() => pulled.take(10)).toThrow('no node')
})

test('a call that is canceled before it is open is canceled once it is', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { stream, pulled } = open((opened) => promise.then(() => opened))
  pulled.cancel()
  expect(stream.canceled).toBe(0)
  resolve()
  await turn()
  expect(stream.canceled).toBe(1)
})
