import { describe, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { BackgroundWork } from './backgroundWork.ts'

describe('waiting for background work', () => {
  test('settled resolves with true when the pending work has ended', async () => {
    const background = new BackgroundWork(systemClock)
    const { promise, resolve } = Promise.withResolvers<void>()
    background.add(promise)
    expect(background.size).toBe(1)
    const settled = background.settled(60_000)
    resolve()
    expect(await settled).toBe(true)
    expect(background.size).toBe(0)
  })

  test('settled does not wait for work that is added later', async () => {
    const background = new BackgroundWork(systemClock)
    const { promise, resolve } = Promise.withResolvers<void>()
    background.add(promise)
    const settled = background.settled(60_000)
    background.add(new Promise(() => {}))
    resolve()
    expect(await settled).toBe(true)
    expect(background.size).toBe(1)
  })

  test('settled resolves with false after its time limit', async () => {
    const background = new BackgroundWork(systemClock)
    background.add(new Promise(() => {}))
    expect(await background.settled(10)).toBe(false)
  })

  test('settled resolves at once without pending work', async () => {
    expect(await new BackgroundWork(systemClock).settled(60_000)).toBe(true)
  })
})
