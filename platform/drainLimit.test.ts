import { expect, test } from 'vitest'
import { ManualClock } from '../test/support/time/manualClock.ts'
import { AFTER_DRAIN_MS, DrainLimit } from './drainLimit.ts'

const CONFIG = { DRAIN_DELAY_MS: 1_000, DRAIN_TIMEOUT_MS: 15_000 }

test('steps share one limit, and a step that hangs is left behind when it is over', async () => {
  const clock = new ManualClock()
  const logged: object[] = []
  const limit = new DrainLimit({ config: CONFIG, clock, log: { error: (facts: object) => void logged.push(facts) } })
  const given: number[] = []
  const drained = (async () => {
    await limit.step('gateway', async (timeoutMs) => {
      given.push(timeoutMs)
      await clock.delay(10_000)
    })
    await limit.step('projector', (timeoutMs) => {
      given.push(timeoutMs)
      return new Promise(() => {})
    })
    await limit.step('engines', (timeoutMs) => {
      given.push(timeoutMs)
      return new Promise(() => {})
    })
  })()
  expect(limit.isExceeded).toBe(false)
  await clock.advance(1_000 + 15_000 + AFTER_DRAIN_MS)
  await clock.advance(0)
  await drained
  expect(given).toEqual([15_000, 6_000, 0])
  expect(logged).toMatchObject([{ step: 'projector' }, { step: 'engines' }])
  expect(limit.isExceeded).toBe(true)
})

test('steps that end in time leave nothing behind', async () => {
  const limit = new DrainLimit({ config: CONFIG, clock: new ManualClock(), log: { error: () => {} } })
  await limit.step('gateway', async () => {})
  expect(limit.isExceeded).toBe(false)
})
