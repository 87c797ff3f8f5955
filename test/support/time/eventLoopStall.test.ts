import { expect, test } from 'vitest'
import { stallDuring, watchStalls } from './eventLoopStall.ts'
import { until } from './until.ts'

/** Longer than anything that the test's own turns compute, a garbage collection included. */
const LONG_MS = 200

function compute(ms: number): void {
  const { user: before } = process.threadCpuUsage()
  while (process.threadCpuUsage().user - before < ms * 1_000);
}

test('a step that computes for 60 ms is reported as a stall of that CPU time', async () => {
  const { stall, result } = await stallDuring(async () => {
    compute(60)
    return 'done'
  })
  expect(result).toBe('done')
  expect(stall.cpuMs).toBeGreaterThanOrEqual(60)
  expect(stall.wallMs).toBeGreaterThanOrEqual(50)
})

test('a long stall is remembered until the watch is reset', async () => {
  const watch = watchStalls()
  compute(LONG_MS)
  await new Promise((resolve) => setImmediate(resolve))
  expect(watch.longest().cpuMs).toBeGreaterThanOrEqual(LONG_MS)
  watch.reset()
  const turns = { left: 5 }
  await until('the loop has turned', () => turns.left-- <= 0)
  expect(watch.longest().cpuMs).toBeLessThan(LONG_MS)
  watch.stop()
})
