import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { systemClock } from './clock.ts'
import { type NoAnswerInTime, settlesWithin, within } from './within.ts'

const MS = 100
const never = new Promise<never>(() => {})

describe('settlesWithin', () => {
  test('is true when the promise resolves before the time is over', async () => {
    const clock = new ManualClock()
    const { promise, resolve } = Promise.withResolvers<void>()
    const inTime = settlesWithin(promise, MS, clock)
    await clock.advance(MS - 1)
    resolve()
    expect(await inTime).toBe(true)
  })

  test('is false when the time is over first', async () => {
    const clock = new ManualClock()
    const inTime = settlesWithin(never, MS, clock)
    await clock.advance(MS)
    expect(await inTime).toBe(false)
  })

  test('is false as soon as the signal aborts', async () => {
    const ending = new AbortController()
    const inTime = settlesWithin(never, MS, new ManualClock(), ending.signal)
    ending.abort()
    expect(await inTime).toBe(false)
    expect(getEventListeners(ending.signal, 'abort')).toEqual([])
  })

  test('throws what the promise rejects with', async () => {
    await expect(settlesWithin(Promise.reject(new Error('gone')), MS, new ManualClock())).rejects.toThrow('gone')
  })
})

describe('within', () => {
  test('gives what the promise resolves to', async () => {
    expect(await within(Promise.resolve('answer'), MS, new ManualClock())).toBe('answer')
  })

  test('throws when the time is over, and ignores a later rejection', async () => {
    const clock = new ManualClock()
    const { promise, reject } = Promise.withResolvers<void>()
    const refused = expect(within(promise, MS, clock)).rejects.toThrow('no answer within 100 ms')
    await clock.advance(MS)
    await refused
    reject(new Error('late'))
  })

  test('the error gives what was waited for, which may still come', async () => {
    const clock = new ManualClock()
    const { promise, resolve } = Promise.withResolvers<string>()
    const failure = within(promise, MS, clock).catch((error: unknown) => error)
    await clock.advance(MS)
    resolve('late')
    expect(await ((await failure) as NoAnswerInTime).late).toBe('late')
  })

  test('throws when the signal aborts, or has aborted before', async () => {
    const ending = new AbortController()
    const refused = expect(within(never, MS, new ManualClock(), ending.signal)).rejects.toThrow('the wait was canceled')
    ending.abort()
    await refused
    await expect(within(never, MS, new ManualClock(), ending.signal)).rejects.toThrow('the wait was canceled')
  })

  test('takes an answer that arrived while this process stalled past the time', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const answer = within(promise, 1, systemClock)
    setTimeout(() => resolve('arrived'), 1)
    const stalledUntilMs = systemClock.monotonicMs() + 20
    while (systemClock.monotonicMs() < stalledUntilMs);
    expect(await answer).toBe('arrived')
  })
})
