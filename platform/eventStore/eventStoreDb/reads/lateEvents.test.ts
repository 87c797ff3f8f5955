import { expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../../../contracts/position.ts'
import { ManualClock } from '../../../../test/support/time/manualClock.ts'
import { SUBSCRIPTION_POLL_MS } from '../../storeLimits.ts'
import { LATE_MS, readLateEvents } from './lateEvents.ts'

const at = (n: number) => String(n).padStart(20, '0') as Position

/** A log whose end the test moves, and a subscription that has delivered what the test says. */
function watch() {
  const clock = new ManualClock()
  const log = { end: BEGINNING as Position, reached: BEGINNING as Position, isDown: false, endsRead: 0 }
  const pages: [Position, Position][] = []
  const answer = <Answer>(value: Answer) => (log.isDown ? Promise.reject(new Error('down')) : Promise.resolve(value))
  const stopping = new AbortController()
  const ended = readLateEvents(
    {
      clock,
      reader: {
        logEnd: () => {
          log.endsRead++
          return answer(log.end)
        },
        upTo: (end, after) => {
          pages.push([after, end])
          return answer({ events: [], position: end, isFull: false })
        },
      },
      reached: () => log.reached,
      take: () => {},
      onAnswer: () => {},
    },
    stopping.signal,
  )
  const stop = async () => {
    stopping.abort()
    await ended
  }
  return { clock, log, pages, ended, stop }
}

test('a subscription that delivers events in time causes no page read', async () => {
  const { clock, log, pages, stop } = watch()
  for (let n = 1; n <= 50; n++) {
    log.end = at(n)
    await clock.advance(LATE_MS / 2)
    log.reached = at(n)
    await clock.advance(LATE_MS / 2)
  }
  expect(log.endsRead).toBeGreaterThan(10)
  expect(pages).toEqual([])
  await stop()
})

test('if a subscription delivers only older events, a page with the missing ones is read', async () => {
  const { clock, log, pages, stop } = watch()
  log.end = at(9)
  log.reached = at(3)
  await clock.advance(2 * LATE_MS)
  expect(pages).toEqual([[at(3), at(9)]])
  // It was read, whatever the subscription delivers.
  log.reached = at(4)
  await clock.advance(2 * SUBSCRIPTION_POLL_MS)
  expect(pages).toHaveLength(1)
  log.end = at(12)
  await clock.advance(SUBSCRIPTION_POLL_MS + LATE_MS)
  expect(pages).toEqual([
    [at(3), at(9)],
    [at(9), at(12)],
  ])
  await stop()
})

test('the end of a log in which nothing is new is read once a second', async () => {
  const { clock, log, stop } = watch()
  await clock.advance(LATE_MS)
  for (let seconds = 0; seconds < 10; seconds++) await clock.advance(SUBSCRIPTION_POLL_MS)
  expect(log.endsRead).toBe(11)
  await stop()
})

test('a failed read does not disturb a subscription that delivers events', async () => {
  const { clock, log, stop } = watch()
  await clock.advance(LATE_MS)
  log.end = at(5)
  await clock.advance(SUBSCRIPTION_POLL_MS)
  log.isDown = true
  log.reached = at(2)
  await clock.advance(LATE_MS)
  const before = log.endsRead
  log.isDown = false
  await clock.advance(SUBSCRIPTION_POLL_MS)
  expect(log.endsRead).toBeGreaterThan(before)
  await stop()
})

test('a server that delivers nothing by subscription or by read is reported', async () => {
  const { clock, log, ended } = watch()
  log.isDown = true
  const outcome = expect(ended).rejects.toThrow('down')
  await clock.advance(LATE_MS)
  await outcome
})
