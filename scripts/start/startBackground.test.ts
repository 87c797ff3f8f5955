import { expect, test } from 'vitest'
import type { OpenRuntime } from '../../capabilities/installation.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { forwardingLog } from '../../platform/logger/logger.ts'
import { Metrics } from '../../platform/metrics/metrics.ts'
import { until } from '../../test/support/time/until.ts'
import { startBackground } from './startBackground.ts'

const NO_DATABASE = 'postgres://127.0.0.1:1/nothing'

test('a background thread that dies is replaced until it is drained', async () => {
  const lines: string[] = []
  const delays: (AbortSignal | undefined)[] = []
  const delay = (_ms: number, signal?: AbortSignal) => {
    delays.push(signal)
    return systemClock.delay(10, signal)
  }
  const runtime = {
    config: readConfig({}),
    clock: { ...systemClock, delay },
    log: forwardingLog('info', (line) => lines.push(line)),
    metrics: new Metrics(),
    writeLogLine: () => {},
  } as unknown as OpenRuntime
  const deaths = () => lines.filter((line) => line.includes('started again')).length
  // The thread cannot open its engines, so each one dies.
  const background = startBackground(runtime, NO_DATABASE)
  await until('two threads have died', () => deaths() >= 2)
  expect((await runtime.metrics.metrics()).trim()).toBe('')
  // The drain ends together with the loop that replaces threads, so nothing is left that could start one.
  await background.drain(1_000)
  expect(delays).toHaveLength(deaths())
  expect(delays.every((signal) => signal?.aborted)).toBe(true)
})
