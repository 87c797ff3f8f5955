import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Clock } from '../../platform/clock/clock.ts'
import type { RateLimits } from '../../platform/sharedState/port.ts'
import { type SteppedClock, steppedClock } from '../support/time/steppedClock.ts'

/** What the suite needs from an adapter: counters that use the given clock. */
export type RateLimitsHarness = {
  /** Another client of the same engine, as a second gateway would have it. */
  open(clock: Clock): RateLimits | Promise<RateLimits>
  close(): Promise<void>
}

const MINUTE_MS = 60_000
const START_MS = Date.UTC(2026, 2, 1, 12, 30)
const aBucket = () => `rpm:${randomUUID()}`

export function rateLimitsContract(name: string, start: () => Promise<RateLimitsHarness>): void {
  describe(`${name} keep the contract of rate limits`, () => {
    let harness: RateLimitsHarness
    let clock: SteppedClock
    let limits: RateLimits

    beforeAll(async () => {
      harness = await start()
      clock = steppedClock(START_MS)
      limits = await harness.open(clock)
    })
    afterAll(() => harness.close())

    test('count what is added, by ones and by more', async () => {
      const bucket = aBucket()
      expect((await limits.add(bucket, 1)).used).toBe(1)
      expect((await limits.add(bucket, 1)).used).toBe(2)
      expect((await limits.add(bucket, 100_000_000)).used).toBe(100_000_002)
    })

    test('read a bucket without counting', async () => {
      const bucket = aBucket()
      expect((await limits.read(bucket)).used).toBe(0)
      await limits.add(bucket, 3)
      expect((await limits.read(bucket)).used).toBe(3)
      expect((await limits.read(bucket)).used).toBe(3)
      expect((await limits.add(bucket, 1)).used).toBe(4)
    })

    test('keep buckets apart, also those whose names begin alike', async () => {
      const bucket = aBucket()
      await limits.add(bucket, 5)
      expect((await limits.read(`${bucket}0`)).used).toBe(0)
      expect((await limits.read(bucket.replace('rpm', 'tpm'))).used).toBe(0)
    })

    test('reset at each whole minute and not earlier', async () => {
      const bucket = aBucket()
      clock.set(START_MS + 10 * MINUTE_MS + 59_000)
      const resetAtMs = START_MS + 11 * MINUTE_MS
      expect(await limits.add(bucket, 2)).toEqual({ used: 2, resetAtMs })
      expect(await limits.read(bucket)).toEqual({ used: 2, resetAtMs })
      clock.set(resetAtMs - 1)
      expect(await limits.add(bucket, 1)).toEqual({ used: 3, resetAtMs })
      clock.set(resetAtMs)
      expect(await limits.read(bucket)).toEqual({ used: 0, resetAtMs: resetAtMs + MINUTE_MS })
      expect(await limits.add(bucket, 1)).toEqual({ used: 1, resetAtMs: resetAtMs + MINUTE_MS })
    })

    test('lose none of many simultaneous additions', async () => {
      const bucket = aBucket()
      const answers = await Promise.all(Array.from({ length: 200 }, () => limits.add(bucket, 1)))
      expect(answers.map(({ used }) => used).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 200 }, (_, n) => n + 1),
      )
    })

    test('count together what several clients add', async () => {
      const bucket = aBucket()
      const clients = [limits, await harness.open(clock), await harness.open(clock)]
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, n) => (clients[n % clients.length] ?? limits).add(bucket, 2)),
      )
      expect(answers.map(({ used }) => used).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 60 }, (_, n) => 2 * (n + 1)),
      )
      for (const client of clients) expect((await client.read(bucket)).used).toBe(120)
    })

    test('accept any text as the name of a bucket', async () => {
      for (const odd of [
        'ip:::ffff:127.0.0.1',
        'ip:2001:db8::1',
        'ip: ',
        'ip:ä@1',
        `ip:${'x'.repeat(500)}`,
        '__proto__',
      ]) {
        const bucket = `${odd}${randomUUID()}`
        expect((await limits.add(bucket, 1)).used).toBe(1)
        expect((await limits.read(bucket)).used).toBe(1)
      }
    })
  })
}
