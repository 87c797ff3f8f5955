import { expect, test } from 'vitest'
import { ManualClock } from '../test/support/time/manualClock.ts'
import { dependencyCheck } from './dependencyHealth.ts'

test('a dependency that answers in time is healthy, with its latency', async () => {
  const clock = new ManualClock()
  const health = dependencyCheck(() => clock.delay(30), clock)()
  await clock.advance(30)
  expect(await health).toEqual({ status: 'healthy', latency_ms: 30 })
})

test('a dependency that does not answer within 2 s is unhealthy', async () => {
  const clock = new ManualClock()
  const health = dependencyCheck(() => new Promise(() => {}), clock)()
  await clock.advance(2_000)
  expect(await health).toEqual({ status: 'unhealthy', latency_ms: null })
})

test('a dependency that answers with an error is unhealthy', async () => {
  const health = dependencyCheck(() => Promise.reject(new Error('refused')), new ManualClock())()
  expect(await health).toEqual({ status: 'unhealthy', latency_ms: null })
})

test('a dependency that hangs gets one request, however often its health is asked for', async () => {
  const clock = new ManualClock()
  let requests = 0
  const check = dependencyCheck(() => {
    requests += 1
    return new Promise(() => {})
  }, clock)
  for (let round = 0; round < 3; round += 1) {
    const healths = Promise.all([check(), check()])
    await clock.advance(3_000)
    expect((await healths).map(({ status }) => status)).toEqual(['unhealthy', 'unhealthy'])
  }
  expect(requests).toBe(1)
})

test('a result is valid for a second', async () => {
  const clock = new ManualClock()
  let isUp = true
  const check = dependencyCheck(() => (isUp ? Promise.resolve() : Promise.reject(new Error('refused'))), clock)
  await check()
  isUp = false
  expect((await check()).status).toBe('healthy')
  await clock.advance(1_000)
  expect((await check()).status).toBe('unhealthy')
})
