import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { RunningTime } from './runningTime.ts'

test('the time of a process that runs is the time that passes', async () => {
  const clock = new ManualClock()
  const running = new RunningTime(clock, () => true)
  running.start()
  const before = running.ms
  await clock.advance(3_050)
  expect(running.ms - before).toBe(3_050)
})

test('the time in which the process was stopped does not count', async () => {
  const clock = new ManualClock()
  const running = new RunningTime(clock, () => true)
  running.start()
  await clock.advance(50)
  clock.stall(60_000)
  expect(running.ms).toBeLessThan(500)
  await clock.advance(1_000)
  expect(running.ms).toBeLessThan(1_500)
})

test('the ticks end when the time is not needed, and begin again with the next start', async () => {
  const clock = new ManualClock()
  let isNeeded = true
  const running = new RunningTime(clock, () => isNeeded)
  running.start()
  isNeeded = false
  await clock.advance(1_000)
  expect(clock.timers).toBe(0)
  const before = running.ms
  isNeeded = true
  running.start()
  await clock.advance(1_000)
  expect(running.ms - before).toBe(1_000)
})
