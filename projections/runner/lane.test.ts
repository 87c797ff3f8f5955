import { describe, expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { history } from '../../test/support/events/history.ts'
import { charged } from '../../test/support/events/ledgerEvents.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { usage } from '../usage/projection.ts'
import { PROJECTION_GATHER_MS } from './batchLimits.ts'
import { Lane } from './lane.ts'

const COMPANY = 'c0000000-0000-4000-8000-000000000000'
const EVERY_MS = 3
const position = (n: number) => (n === 0 ? BEGINNING : (String(n).padStart(16, '0') as Position))

/** A lane whose transactions take no time, and the times of these transactions. */
function openLane() {
  const clock = new ManualClock(0)
  const storedAt: number[] = []
  const transactions = { store: async () => true }
  const onAdvanced = () => void storedAt.push(clock.now())
  const options = { projection: usage, database: {} as never, feed: {} as never, transactions, clock, onAdvanced }
  const lane = new Lane(options, 'all', new AbortController().signal, () => {})
  let n = 0
  const takeOne = () => {
    const events = history(`ledger-${COMPANY}`, charged(COMPANY))
    const batch = { partition: 'all', after: position(n), events, position: position(n + 1) }
    n++
    return lane.take(batch)
  }
  return { clock, storedAt, takeOne }
}

describe('events that come one by one', () => {
  test('are stored immediately if they are far apart', async () => {
    const { clock, storedAt, takeOne } = openLane()
    for (let n = 0; n < 20; n++) {
      await takeOne()
      await clock.advance(1_000)
    }
    expect(storedAt).toEqual(Array.from({ length: 20 }, (_, n) => n * 1_000))
  })

  test('are stored soon after a short series, and together in a steady series', async () => {
    const { clock, storedAt, takeOne } = openLane()
    for (let n = 0; n < 200; n++) {
      await takeOne()
      await clock.advance(EVERY_MS)
    }
    const gaps = storedAt.slice(1).map((at, n) => at - (storedAt[n] ?? 0))
    expect(Math.max(...gaps.slice(0, 5))).toBeLessThan(10)
    expect(Math.min(...gaps.slice(-10))).toBeGreaterThanOrEqual(PROJECTION_GATHER_MS.steady)
  })
})
