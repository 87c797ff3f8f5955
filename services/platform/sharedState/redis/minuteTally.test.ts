import { describe, expect, test } from 'vitest'
import { MinuteTally, RATE_BUCKETS_MAX, Tally } from './minuteTally.ts'

/** How many requests a gateway lets through alone, of a limit of which some was used when the server was last heard. */
function admitted({ limit, seen = 0, gateways }: { limit: number; seen?: number; gateways: number }): number {
  const tally = new Tally()
  tally.seen = seen
  for (let count = 0; ; count++) {
    tally.count(1)
    if (tally.estimateWith(1, gateways) > limit) return count
  }
}

describe('a gateway alone', () => {
  test('has the whole limit when it was the only one', () => expect(admitted({ limit: 60, gateways: 1 })).toBe(60))
  test('has its part of the limit', () => expect(admitted({ limit: 60, gateways: 3 })).toBe(20))
  test('rounds its part down, so that all parts together stay within the limit', () =>
    expect(admitted({ limit: 100, gateways: 3 })).toBe(33))
  test('has its part of what was left of a minute that had begun', () =>
    expect(admitted({ limit: 60, seen: 30, gateways: 3 })).toBe(10))
  test('lets one request through of a limit smaller than the number of gateways', () =>
    expect(admitted({ limit: 2, gateways: 5 })).toBe(1))
  test('lets none through when the limit was reached before', () =>
    expect(admitted({ limit: 60, seen: 60, gateways: 3 })).toBe(0))

  test('holds tokens, which are counted after the call, by its part as well', () => {
    const tally = new Tally()
    tally.count(400)
    expect(tally.estimate(3)).toBe(1_200)
  })
})

describe('what is sent to the server', () => {
  test('is each point once', () => {
    const tally = new Tally()
    tally.count(2)
    tally.count(3)
    expect(tally.take()).toBe(5)
    expect(tally.take()).toBe(0)
  })

  test('is sent again when it did not arrive, and not when it arrived late', () => {
    const tally = new Tally()
    tally.count(2)
    tally.putBack(tally.take())
    expect(tally.unsent).toBe(2)
    tally.arrivedAfterAll(2)
    expect(tally.unsent).toBe(0)
  })

  test('is never more than was counted, whatever becomes of points on their way', () => {
    const tally = new Tally()
    tally.count(2)
    const points = tally.take()
    tally.forgotten()
    tally.putBack(points)
    expect(tally.unsent).toBe(2)
  })

  test('is all of it when the server has forgotten, which is then no longer taken for seen', () => {
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
  test('are forgotten in the next', () => {
    const tallies = new MinuteTally()
    tallies.of('a', 1).count(1)
    expect(tallies.unsent(1)).toEqual(['a'])
    expect(tallies.unsent(2)).toEqual([])
    expect(tallies.of('a', 2).unsent).toBe(0)
  })

  test('are no more than the limit', () => {
    const tallies = new MinuteTally()
    for (let n = 0; n <= RATE_BUCKETS_MAX; n++) tallies.of(`bucket ${n}`, 1).count(1)
    expect(tallies.unsent(1)).toHaveLength(RATE_BUCKETS_MAX)
    expect(tallies.of('bucket 0', 1).unsent).toBe(0)
  })
})
