import { describe, expect, test } from 'vitest'
import { systemClock } from '../platform/clock/clock.ts'
import { BackgroundWork } from './backgroundWork.ts'

describe('waiting for background work', () => {
  test('ends when what was pending has ended', async () => {
    const background = new BackgroundWork(systemClock)
    const { promise, resolve } = Promise.withResolvers<void>()
    background.add(promise)
    expect(background.size).toBe(1)
    const settled = background.settled(60_000)
    resolve()
    expect(await settled).toBe(true)
    expect(background.size).toBe(0)
  })

  test('does not wait for what was added since: under load there is always something', async () => {
    const background = new BackgroundWork(systemClock)
    const { promise, resolve } = Promise.withResolvers<void>()
    background.add(promise)
    const settled = background.settled(60_000)
    background.add(new Promise(() => {}))
    resolve()
    expect(await settled).toBe(true)
    expect(background.size).toBe(1)
  })

  test('ends at its limit, and says that it did', async () => {
    const background = new BackgroundWork(systemClock)
    background.add(new Promise(() => {}))
    expect(await background.settled(10)).toBe(false)
  })

  test('with nothing to wait for ends at once', async () => {
    expect(await new BackgroundWork(systemClock).settled(60_000)).toBe(true)
  })
})
