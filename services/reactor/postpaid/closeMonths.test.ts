import { expect, test } from 'vitest'
import { CLOCK_SETTLE_MS, openInstallationClock } from '../../../platform/clock/installationClock.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { createMonthClosing } from './closeMonths.ts'
import type { PostpaidParts } from './postpaidParts.ts'

const MONTH_MS = 31 * 86_400_000
const { log } = openLog({ level: 'silent', file: null })

/** The months that the closing looks for, and a clock that follows a database. */
async function closing() {
  const machine = new ManualClock(Date.UTC(2026, 2, 10))
  const database = { aheadMs: 0 }
  const clock = await openInstallationClock({
    clock: machine,
    read: async () => machine.now() + database.aheadMs,
    log,
  })
  const looked: unknown[] = []
  const query = async (_text: string, [month]: readonly unknown[] = []) => {
    looked.push(month)
    return []
  }
  const close = createMonthClosing({ clock, log, engines: { database: { query } } } as unknown as PostpaidParts)
  /** Second by second, as the reactor does. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      await machine.advance(1_000)
      await close()
    }
  }
  return { looked, database, pass, stop: () => clock.stop() }
}

test('no month is closed before the clock has been steady for some minutes', async () => {
  const { looked, pass, stop } = await closing()
  await pass(CLOCK_SETTLE_MS - 1_000)
  expect(looked).toEqual([])
  await pass(1_000)
  expect(looked).toEqual(['2026-02'])
  stop()
})

test('a clock that is months ahead for seconds closes no month', async () => {
  const { looked, database, pass, stop } = await closing()
  await pass(CLOCK_SETTLE_MS)
  database.aheadMs = 4 * MONTH_MS
  await pass(12_000)
  database.aheadMs = 0
  await pass(2 * CLOCK_SETTLE_MS)
  expect(new Set(looked)).toEqual(new Set(['2026-02']))
  stop()
})
