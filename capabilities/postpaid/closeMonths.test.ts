import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isoTime } from '../../platform/clock/clock.ts'
import {
  CLOCK_SETTLE_MS,
  type InstallationClock,
  openInstallationClock,
} from '../../platform/clock/installationClock.ts'
import { openLog } from '../../platform/logger/logger.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { createMonthClosing } from './closeMonths.ts'
import type { PostpaidParts } from './postpaidParts.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MONTH_MS = 30 * DAY_MS
const MARCH_END_MS = Date.UTC(2026, 3, 1)
const SECOND_MS = 1_000
const { log } = openLog({ level: 'silent', file: null })

let machine: ManualClock
/** How far the clocks of the database and of the event store are ahead of the true time. */
let databaseAheadMs: number
let storeAheadMs: number
/** The times at which the store recorded events, the newest last. */
let recorded: string[]
/** The months of a company that was POSTPAID from January on, in the order in which they were closed. */
let closed: string[]
let clock: InstallationClock
let close: () => Promise<void>

beforeEach(() => {
  machine = new ManualClock(Date.UTC(2026, 2, 30, 12))
  databaseAheadMs = 0
  storeAheadMs = 0
  recorded = []
  closed = []
})
afterEach(() => clock.stop())

const record = () => recorded.push(isoTime(machine.now() + storeAheadMs))

/** Starts a reactor. */
async function start(): Promise<void> {
  const newestEvent = async () => {
    const recordedAt = recorded.at(-1)
    return recordedAt === undefined ? null : { revision: recorded.length - 1, recordedAt }
  }
  const read = async () => machine.now() + databaseAheadMs
  clock = await openInstallationClock({ clock: machine, read, newestEvent, log })
  const engines = {
    database: {
      query: async (_: string, [lastEnded]: [string]) =>
        lastEnded > (closed.at(-1) ?? '')
          ? [
              {
                companyId: 'a',
                postpaidSince: '2026-01-15',
                postpaidUntil: null,
                lastClosed: closed.at(-1) ?? null,
              },
            ]
          : [],
    },
    store: {
      readStream: async function* () {
        for (const recordedAt of recorded.toReversed()) yield { recordedAt }
      },
    },
    commands: { stateOf: async () => ({ status: 'registered', planId: 'p', creditsPerPeriodMicros: 1n }) },
    ledger: {
      draft: ({ month }: { month: string }) => ({ eventId: month }),
      book: async ({ eventId }: { eventId: string }) => closed.push(eventId),
    },
  }
  close = createMonthClosing({ clock, log, engines } as unknown as PostpaidParts)
}

/** Lets time pass while the reactor runs: every second, or less often if that would take long. */
async function pass(ms: number, { calls = false } = {}): Promise<void> {
  const roundMs = ms > HOUR_MS ? 10 * SECOND_MS : SECOND_MS
  for (let left = ms; left > 0; left -= roundMs) {
    await machine.advance(Math.min(left, roundMs))
    if (calls && machine.now() % (10 * SECOND_MS) === 0) record()
    await close()
  }
}

/** A reactor that has closed all past months, in an installation with calls. */
async function startInUse(): Promise<void> {
  record()
  await start()
  await pass(CLOCK_SETTLE_MS, { calls: true })
  expect(closed).toEqual(['2026-01', '2026-02'])
}

test('no month is closed before the clock has been steady for some minutes', async () => {
  record()
  await start()
  await pass(CLOCK_SETTLE_MS - SECOND_MS)
  expect(closed).toEqual([])
  await pass(SECOND_MS)
  expect(closed).toEqual(['2026-01', '2026-02'])
})

test('a month of an idle installation is closed as soon as it ends, if the reactor has watched the clock', async () => {
  await startInUse()
  await pass(MARCH_END_MS - SECOND_MS - machine.now())
  expect(closed).toHaveLength(2)
  await pass(SECOND_MS)
  expect(closed.slice(2)).toEqual(['2026-03'])
})

describe('a database that is months ahead', () => {
  test('for seconds closes no month', async () => {
    await startInUse()
    databaseAheadMs = 4 * MONTH_MS
    storeAheadMs = databaseAheadMs
    await pass(12 * SECOND_MS, { calls: true })
    databaseAheadMs = 0
    storeAheadMs = 0
    await pass(2 * CLOCK_SETTLE_MS, { calls: true })
    expect(closed).toHaveLength(2)
  })

  test('for hours closes no month, although it records the events', async () => {
    await startInUse()
    databaseAheadMs = 4 * MONTH_MS
    storeAheadMs = databaseAheadMs
    await pass(3 * HOUR_MS, { calls: true })
    expect(clock.now()).toBe(machine.now() + 4 * MONTH_MS)
    expect(closed).toHaveLength(2)
    // Even after a restart, which finds only such events for the last hours.
    clock.stop()
    await start()
    await pass(3 * HOUR_MS, { calls: true })
    expect(closed).toHaveLength(2)
    databaseAheadMs = 0
    storeAheadMs = 0
    await pass(HOUR_MS, { calls: true })
    expect(closed).toHaveLength(2)
  })

  test('from the start of the reactor closes no month, unless it stays that way for a day', async () => {
    record()
    databaseAheadMs = 4 * MONTH_MS
    storeAheadMs = databaseAheadMs
    await start()
    await pass(3 * HOUR_MS, { calls: true })
    expect(closed).toEqual(['2026-01', '2026-02'])
    await pass(DAY_MS, { calls: true })
    expect(closed).toEqual(['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'])
  })

  test('for days closes no month while an event store with a clock of its own records other times', async () => {
    record()
    databaseAheadMs = 4 * MONTH_MS
    await start()
    await pass(2 * DAY_MS, { calls: true })
    expect(closed).toEqual([])
  })
})

describe('a reactor that starts after a night without calls', () => {
  test('closes a month that ended that night after as many hours as are missing', async () => {
    await startInUse()
    clock.stop()
    while (machine.now() < MARCH_END_MS - 6 * HOUR_MS) {
      machine.stall(5 * 60 * SECOND_MS)
      record()
    }
    machine.stall(14 * HOUR_MS)
    await start()
    await pass(6 * HOUR_MS - SECOND_MS, { calls: true })
    expect(closed).toHaveLength(2)
    await pass(2 * SECOND_MS, { calls: true })
    expect(closed.slice(2)).toEqual(['2026-03'])
  })
})
