import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectPausedCaller, type PausedCaller } from '../../../test/support/callers/pausedCaller.ts'
import { writeToClient } from './clientWriter.ts'

const STALL_MS = 300
/** The reader shares this process's time: on a busy machine it may itself stall for so long. */
const RETRIED = { retry: 2 }
/** More than the buffers of a connection hold. */
const LARGE = Buffer.alloc(16 * 1024 * 1024, 'x')

let caller: PausedCaller
let client: PausedCaller['socket']
let response: PausedCaller['response']
beforeEach(async () => {
  caller = await connectPausedCaller()
  client = caller.socket
  response = caller.response
})
afterEach(() => caller.close())

const write = (bytes: Buffer) => writeToClient(response, bytes, STALL_MS)
const listeners = () => (['timeout', 'drain', 'close'] as const).map((name) => response.listenerCount(name))

test('a write resolves at once while the caller keeps up', async () => {
  expect(await write(Buffer.from('piece'))).toBe(true)
})

test('a write waits until the buffer has drained, and leaves no listener behind', RETRIED, async () => {
  const before = listeners()
  const written = write(LARGE)
  expect(await Promise.race([written, wait(50, 'waiting')])).toBe('waiting')
  client.resume()
  expect(await written).toBe(true)
  expect(listeners()).toEqual(before)
  // A provider that is silent for longer than a caller may be is not the caller's fault.
  await wait(2 * STALL_MS)
  expect(response.destroyed).toBe(false)
})

test('a write ends when the caller disconnects, and nothing is written after that', async () => {
  const written = write(LARGE)
  client.destroy()
  expect(await written).toBe(false)
  expect(await write(LARGE)).toBe(false)
})

test('a caller that takes nothing for too long is cut', async () => {
  expect(await write(LARGE)).toBe(false)
  expect(response.destroyed).toBe(true)
})

test('a caller that reads slowly is waited for, however long that takes', RETRIED, async () => {
  const began = performance.now()
  const written = write(LARGE)
  let done = false
  written.then(() => {
    done = true
  })
  while (!done && !client.destroyed) {
    client.read(1024 * 1024) ?? client.read()
    await wait(STALL_MS / 4)
  }
  expect(await written).toBe(true)
  expect(performance.now() - began).toBeGreaterThan(2 * STALL_MS)
})
