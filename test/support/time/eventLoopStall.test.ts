import { expect, test } from 'vitest'
import { stallDuring, watchStalls } from './eventLoopStall.ts'
import { until } from './until.ts'

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
  compute(60)
  await new Promise((resolve) => setImmediate(resolve))
  expect(watch.longest().cpuMs).toBeGreaterThanOrEqual(60)
  watch.reset()
  const turns = { left: 5 }
  await until('the loop has turned', () => turns.left-- <= 0)
  expect(watch.longest().cpuMs).toBeLessThan(60)
  watch.stop()
})
