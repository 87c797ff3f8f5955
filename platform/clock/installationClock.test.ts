import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { openLog } from '../logger/logger.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import { isoTime } from './clock.ts'
import { CLOCK_SETTLE_MS, type InstallationClock, openInstallationClock } from './installationClock.ts'

const START_MS = Date.UTC(2026, 2, 1, 10)
const HOUR_MS = 3_600_000
const MONTH_MS = 31 * 24 * HOUR_MS
const { log } = openLog({ level: 'silent', file: null })

let machine: ManualClock
/** How far the database is ahead of the true time, and the clock of the process too. */
let databaseAheadMs: number
let processAheadMs: number
let isAway: boolean
/** How far the event store is ahead of the true time, and the number of events that it has recorded. */
let storeAheadMs: number
let events: number
let recordedAt: string
let metrics: Metrics
let clock: InstallationClock

beforeEach(async () => {
  machine = new ManualClock(START_MS)
  databaseAheadMs = 0
  processAheadMs = 0
  isAway = false
  storeAheadMs = 0
  events = 0
  await open()
})
afterEach(() => clock.stop())

async function open(): Promise<void> {
  metrics = createMetrics()
  const process = {
    now: () => machine.now() + processAheadMs,
    monotonicMs: () => machine.monotonicMs(),
    delay: machine.delay.bind(machine),
    after: machine.after.bind(machine),
    every: machine.every.bind(machine),
  }
  const read = async () => (isAway ? Promise.reject(new Error('away')) : machine.now() + databaseAheadMs)
  const newestEvent = async () => (events === 0 ? null : { revision: events - 1, recordedAt })
  clock = await openInstallationClock({ clock: process, read, newestEvent, log, metrics })
}

function record(): void {
  events += 1
  recordedAt = isoTime(machine.now() + storeAheadMs)
}

/** One reading after the other. */
async function pass(ms: number, { withEvents = false } = {}): Promise<void> {
  for (let left = ms; left > 0; left -= 10_000) {
    if (withEvents) record()
    await machine.advance(Math.min(left, 10_000))
  }
}
const jumps = async () => /tollgate_clock_jumps_total (\d+)/.exec(await metrics.metrics())?.[1]
const offMs = () => clock.now() - machine.now()

test('follows the database, whatever the clock of the process says, including small corrections', async () => {
  processAheadMs = 4 * MONTH_MS
  expect(offMs()).toBe(0)
  databaseAheadMs = 30_000
  await pass(20_000)
  expect(offMs()).toBe(30_000)
  expect(await jumps()).toBe('0')
})

test('raises an alarm if it differs from the process by more than an hour at the start', async () => {
  processAheadMs = 4 * MONTH_MS
  await open()
  expect(offMs()).toBe(0)
  expect(await jumps()).toBe('1')
})

test('follows a correction of less than an hour at once; a larger one is an alarm', async () => {
  const minute = HOUR_MS / 60
  databaseAheadMs = HOUR_MS - minute
  await pass(20_000)
  expect(offMs()).toBe(HOUR_MS - minute)
  expect(await jumps()).toBe('0')
  databaseAheadMs += HOUR_MS + minute
  await pass(20_000)
  expect(offMs()).toBe(HOUR_MS - minute)
  expect(await jumps()).toBe('1')
})

test('goes on while the database does not answer', async () => {
  isAway = true
  await pass(HOUR_MS)
  expect(offMs()).toBe(0)
})

describe('a jump of the database by months', () => {
  test('if brief, changes nothing but raises an alarm, and the clock is not steady for some minutes', async () => {
    await pass(CLOCK_SETTLE_MS)
    expect(clock.steadyMs()).toBeGreaterThanOrEqual(CLOCK_SETTLE_MS)
    databaseAheadMs = 4 * MONTH_MS
    await pass(20_000)
    expect(offMs()).toBe(0)
    expect(clock.steadyMs()).toBe(0)
    expect(await jumps()).toBe('1')
    databaseAheadMs = 0
    await pass(20_000)
    expect(offMs()).toBe(0)
    expect(clock.steadyMs()).toBeLessThan(30_000)
    await pass(CLOCK_SETTLE_MS)
    expect(clock.steadyMs()).toBeGreaterThanOrEqual(CLOCK_SETTLE_MS)
  })

  test('is accepted once it has lasted for minutes', async () => {
    databaseAheadMs = 4 * MONTH_MS
    await pass(CLOCK_SETTLE_MS - 20_000)
    expect(offMs()).toBe(0)
    await pass(60_000)
    expect(offMs()).toBe(4 * MONTH_MS)
    expect(clock.steadyMs()).toBeGreaterThanOrEqual(CLOCK_SETTLE_MS)
    expect(await jumps()).toBe('1')
  })

  test('followed by another jump restarts the wait', async () => {
    databaseAheadMs = 4 * MONTH_MS
    await pass(CLOCK_SETTLE_MS - 20_000)
    databaseAheadMs = 5 * MONTH_MS
    await pass(CLOCK_SETTLE_MS - 20_000)
    expect(offMs()).toBe(0)
    expect(await jumps()).toBe('2')
  })
})

describe('an event store that records events two hours away from the database', () => {
  test('is an alarm as long as it lasts, and the clock is not steady until some minutes later', async () => {
    await pass(CLOCK_SETTLE_MS, { withEvents: true })
    expect(clock.steadyMs()).toBe(CLOCK_SETTLE_MS)
    for (const aheadMs of [2 * HOUR_MS, -2 * HOUR_MS]) {
      storeAheadMs = aheadMs
      await pass(2 * CLOCK_SETTLE_MS, { withEvents: true })
      expect(offMs()).toBe(0)
      expect(clock.steadyMs()).toBe(0)
    }
    expect(await jumps()).toBe('4')
    storeAheadMs = 0
    await pass(CLOCK_SETTLE_MS, { withEvents: true })
    expect(clock.steadyMs()).toBe(CLOCK_SETTLE_MS)
    expect(await jumps()).toBe('4')
  })

  test('is not seen in events from before the start', async () => {
    storeAheadMs = 2 * HOUR_MS
    record()
    await open()
    await pass(CLOCK_SETTLE_MS)
    expect(clock.steadyMs()).toBe(CLOCK_SETTLE_MS)
    expect(await jumps()).toBe('0')
  })
})

test('an event that was recorded before the new time of the database was accepted raises no alarm', async () => {
  await pass(20_000, { withEvents: true })
  databaseAheadMs = 4 * MONTH_MS
  storeAheadMs = 4 * MONTH_MS
  await pass(2 * CLOCK_SETTLE_MS, { withEvents: true })
  expect(offMs()).toBe(4 * MONTH_MS)
  expect(await jumps()).toBe('1')
})

test('an event that was recorded hours ago, while the database did not answer, raises no alarm', async () => {
  await pass(20_000, { withEvents: true })
  record()
  isAway = true
  await pass(2 * HOUR_MS)
  isAway = false
  await pass(20_000)
  expect(await jumps()).toBe('0')
})
