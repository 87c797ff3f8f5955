import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/manualClock.ts'
import { dependencyHealth } from './dependencyHealth.ts'

test('a dependency that answers in time is healthy, with its latency', async () => {
  const clock = new ManualClock()
  const health = dependencyHealth(() => clock.delay(30), clock)
  await clock.advance(30)
  expect(await health).toEqual({ status: 'healthy', latency_ms: 30 })
})

test('a dependency that does not answer within 2 s is degraded', async () => {
  const clock = new ManualClock()
  const health = dependencyHealth(() => new Promise(() => {}), clock)
  await clock.advance(2_000)
  expect(await health).toEqual({ status: 'degraded', latency_ms: null })
})

test('a dependency that answers with an error is degraded', async () => {
  const health = dependencyHealth(() => Promise.reject(new Error('refused')), new ManualClock())
  expect(await health).toEqual({ status: 'degraded', latency_ms: null })
})
