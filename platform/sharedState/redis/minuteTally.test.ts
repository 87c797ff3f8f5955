import { describe, expect, test } from 'vitest'
import { MinuteTally, RATE_BUCKETS_MAX, Tally } from './minuteTally.ts'

/** The number of requests that a gateway admits alone, if `seen` of the limit was used when the server last answered. */
function admitted({ limit, seen = 0, gateways }: { limit: number; seen?: number; gateways: number }): number {
  const tally = new Tally()
  tally.seen = seen
  for (let count = 0; ; count++) {
    tally.count(1)
    if (tally.estimateWith(1, gateways) > limit) return count
  }
}

describe('a gateway without the server', () => {
  test('has the whole limit if it was the only gateway', () => expect(admitted({ limit: 60, gateways: 1 })).toBe(60))
  test('has its share of the limit', () => expect(admitted({ limit: 60, gateways: 3 })).toBe(20))
  test('rounds its share down, so that all shares together stay within the limit', () =>
    expect(admitted({ limit: 100, gateways: 3 })).toBe(33))
  test('has its share of what was left of the limit', () =>
    expect(admitted({ limit: 60, seen: 30, gateways: 3 })).toBe(10))
  test('admits one request if the limit is below the number of gateways', () =>
    expect(admitted({ limit: 2, gateways: 5 })).toBe(1))
  test('admits none if the limit was already reached', () =>
    expect(admitted({ limit: 60, seen: 60, gateways: 3 })).toBe(0))

  test('keeps to its share when points without an answer arrived late', () => {
    const tally = new Tally()
    tally.count(30)
    tally.putBack(tally.take())
    tally.arrivedAfterAll(30, 45)
    expect(tally.estimate(3)).toBe(45)
    tally.count(1)
    tally.count(1)
    expect(tally.estimateWith(1, 3)).toBe(45 + 3 * 2)
  })

  test('enforces its share of tokens, which are counted after the call', () => {
    const tally = new Tally()
    tally.count(400)
    expect(tally.estimate(3)).toBe(1_200)
  })
})

describe('the count that is sent to the server', () => {
  test('contains each point once', () => {
    const tally = new Tally()
    tally.count(2)
    tally.count(3)
    expect(tally.take()).toBe(5)
    expect(tally.take()).toBe(0)
  })

  test('is sent again if it did not arrive, but not if it arrived late', () => {
    const tally = new Tally()
    tally.count(2)
    tally.putBack(tally.take())
    expect(tally.unsent).toBe(2)
    tally.arrivedAfterAll(2, 2)
    expect(tally.unsent).toBe(0)
  })

  test('is never more than was counted, whatever happens to points in flight', () => {
    const tally = new Tally()
    tally.count(2)
    const points = tally.take()
    tally.forgotten()
    tally.putBack(points)
    expect(tally.unsent).toBe(2)
  })

  test('is the whole count if the server has lost its data, and earlier counts no longer apply', () => {
    const tally = new Tally()
    tally.count(5)
    tally.take()
    tally.seen = 12
    tally.forgotten()
    expect(tally.unsent).toBe(5)
    expect(tally.seen).toBe(0)
  })
})

describe('the buckets of a minute', () => {
  test('are dropped in the next minute', () => {
    const tallies = new MinuteTally()
    tallies.of('a', 1).count(1)
    expect(tallies.unsent(1)).toEqual(['a'])
    expect(tallies.unsent(2)).toEqual([])
    expect(tallies.of('a', 2).unsent).toBe(0)
  })

  test('are limited in number', () => {
    const tallies = new MinuteTally()
    for (let n = 0; n <= RATE_BUCKETS_MAX; n++) tallies.of(`bucket ${n}`, 1).count(1)
    expect(tallies.unsent(1)).toHaveLength(RATE_BUCKETS_MAX)
    expect(tallies.of('bucket 0', 1).unsent).toBe(0)
  })
})
