import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { NOT_NEEDED, systemClock } from './clock.ts'

const HOUR_MS = 3_600_000

describe('a delay of the system clock', () => {
  test('ends after its time and removes its listener from the signal', async () => {
    const { signal } = new AbortController()
    await systemClock.delay(1, signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('ends at once when the signal aborts, whatever the reason', async () => {
    for (const reason of [undefined, NOT_NEEDED]) {
      const ending = new AbortController()
      const delay = systemClock.delay(HOUR_MS, ending.signal)
      ending.abort(reason)
      await delay
      expect(getEventListeners(ending.signal, 'abort')).toEqual([])
    }
  })

  test('does not start if the signal has already aborted', async () => {
    await systemClock.delay(HOUR_MS, AbortSignal.abort())
  })
})
