import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LIMITS } from '../../../contracts/limits.ts'
import { writeToClient } from './clientWriter.ts'

class FakeResponse extends EventEmitter {
  destroyed = false
  full = true
  readonly written: string[] = []

  write(bytes: Buffer): boolean {
    this.written.push(bytes.toString())
    return !this.full
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

let response: FakeResponse
beforeEach(() => {
  vi.useFakeTimers()
  response = new FakeResponse()
})
afterEach(() => vi.useRealTimers())

const write = () => writeToClient(response as unknown as ServerResponse, Buffer.from('piece'))

test('goes on at once while the caller keeps up', async () => {
  response.full = false
  expect(await write()).toBe(true)
  expect(response.written).toEqual(['piece'])
})

test('waits until the caller has taken enough, and leaves no listener behind', async () => {
  const written = write()
  expect(await Promise.race([written, 'waiting'])).toBe('waiting')
  response.emit('drain')
  expect(await written).toBe(true)
  expect(response.eventNames()).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

test('ends when the caller leaves, and writes nothing to one that has left', async () => {
  const written = write()
  response.destroy()
  expect(await written).toBe(false)
  expect(await write()).toBe(false)
  expect(response.written).toHaveLength(1)
})

test('cuts a caller that takes nothing for too long', async () => {
  const written = write()
  vi.advanceTimersByTime(LIMITS.clientStallMs - 1)
  expect(response.destroyed).toBe(false)
  vi.advanceTimersByTime(1)
  expect(await written).toBe(false)
  expect(response.destroyed).toBe(true)
})
