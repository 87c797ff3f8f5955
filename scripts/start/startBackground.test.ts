import { expect, test, vi } from 'vitest'
import { systemClock } from '../../services/platform/clock/clock.ts'
import { readConfig } from '../../services/platform/config/config.ts'
import { forwardingLog } from '../../services/platform/log/log.ts'
import { Metrics } from '../../services/platform/metrics/metrics.ts'
import type { OpenRuntime } from '../../services/platform/openRuntime.ts'
import { startBackground } from './startBackground.ts'

const NO_DATABASE = 'postgres://127.0.0.1:1/nothing'

test('a background thread that dies is started again, and a drain ends it for good', async () => {
  const lines: string[] = []
  const runtime = {
    config: readConfig({}),
    clock: { ...systemClock, delay: () => systemClock.delay(10) },
    log: forwardingLog('info', (line) => lines.push(line)),
    metrics: new Metrics(),
    writeLogLine: () => {},
  } as unknown as OpenRuntime
  const deaths = () => lines.filter((line) => line.includes('started again')).length
  // It cannot open its engines, so every thread dies of that.
  const background = startBackground(runtime, NO_DATABASE)
  await vi.waitUntil(() => deaths() >= 2, { timeout: 14_000 })
  expect((await runtime.metrics.metrics()).trim()).toBe('')
  await background.drain(1_000)
  const deathsAtEnd = deaths()
  await systemClock.delay(100)
  expect(deaths()).toBe(deathsAtEnd)
})
