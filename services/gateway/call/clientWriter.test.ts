import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectPausedCaller, type PausedCaller } from '../../../test/support/callers/pausedCaller.ts'
import { until } from '../../../test/support/time/until.ts'
import { writeToClient } from './clientWriter.ts'

const STALL_MS = 300
/** More than the buffers of a connection hold. */
const LARGE = Buffer.alloc(16 * 1024 * 1024, 'x')

let caller: PausedCaller
let client: PausedCaller['socket']
let response: PausedCaller['response']
async function connect(): Promise<void> {
  caller = await connectPausedCaller()
  client = caller.socket
  response = caller.response
}
beforeEach(connect)
afterEach(() => caller.close())

const listeners = () => (['timeout', 'drain', 'close'] as const).map((name) => response.listenerCount(name))

test('a write resolves at once while the caller keeps up', async () => {
  expect(await writeToClient(response, Buffer.from('piece'))).toBe(true)
})

test('a write waits until the buffer has drained, and leaves neither a listener nor a time-out behind', async () => {
  const before = listeners()
  let isWritten = false
  const written = writeToClient(response, LARGE).finally(() => {
    isWritten = true
  })
  const { socket } = response
  await until('the connection takes no more', () => (socket?.bytesWritten ?? 0) > 0)
  expect(response.writableNeedDrain).toBe(true)
  expect(isWritten).toBe(false)
  client.resume()
  expect(await written).toBe(true)
  expect(listeners()).toEqual(before)
  // A provider that is silent for longer than a caller may be is not the caller's fault.
  expect(socket?.timeout).toBe(0)
})

test('a write ends when the caller disconnects, and nothing is written after that', async () => {
  const written = writeToClient(response, LARGE)
  client.destroy()
  expect(await written).toBe(false)
  expect(await writeToClient(response, LARGE)).toBe(false)
})

test('a caller that takes nothing for too long is cut', async () => {
  expect(await writeToClient(response, LARGE, STALL_MS)).toBe(false)
  expect(response.destroyed).toBe(true)
})

test('a caller that reads slowly is waited for, however long that takes', async () => {
  // The caller reads in this process. If that stood still for too long, the caller did too and was rightly cut.
  await until('the caller has read without a long pause', async () => {
    const { isWritten, tookMs, longestPauseMs } = await readSlowly()
    if (!isWritten && longestPauseMs > STALL_MS / 2) {
      await caller.close()
      await connect()
      return false
    }
    expect(isWritten).toBe(true)
    expect(tookMs).toBeGreaterThan(2 * STALL_MS)
    return true
  })
})

async function readSlowly() {
  const beganMs = performance.now()
  let pausedAtMs = beganMs
  let longestPauseMs = 0
  let isOver = false
  const written = writeToClient(response, LARGE, STALL_MS).finally(() => {
    isOver = true
  })
  while (!isOver) {
    client.read(1024 * 1024) ?? client.read()
    await wait(STALL_MS / 4)
    const nowMs = performance.now()
    longestPauseMs = Math.max(longestPauseMs, nowMs - pausedAtMs)
    pausedAtMs = nowMs
  }
  return { isWritten: await written, tookMs: performance.now() - beganMs, longestPauseMs }
}
