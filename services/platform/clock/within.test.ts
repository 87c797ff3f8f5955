import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/manualClock.ts'
import { settlesWithin } from './within.ts'

const MS = 100

describe('a promise settles within its time', () => {
  test('when it does, at any moment before', async () => {
    const clock = new ManualClock()
    const { promise, resolve } = Promise.withResolvers<void>()
    const inTime = settlesWithin(promise, MS, clock)
    await clock.advance(MS - 1)
    resolve()
    expect(await inTime).toBe(true)
  })

  test('not when the time is over first', async () => {
    const clock = new ManualClock()
    const inTime = settlesWithin(new Promise(() => {}), MS, clock)
    await clock.advance(MS)
    expect(await inTime).toBe(false)
  })

  test('and throws what it rejects with', async () => {
    await expect(settlesWithin(Promise.reject(new Error('gone')), MS, new ManualClock())).rejects.toThrow('gone')
  })
})
