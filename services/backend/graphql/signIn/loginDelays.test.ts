import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../../test/support/time/manualClock.ts'
import { ACCOUNT_DELAY_MS, ACCOUNT_FREE_FAILURES, FREE_FAILURES, LoginDelays } from './loginDelays.ts'

const HOUR_MS = 3_600_000
const HOME = '203.0.113.7'
const OWNER = 'hash of the owner'

test('the first failures cost no delay, each further one doubles it, up to a quarter of an hour', async () => {
  const clock = new ManualClock()
  const delays = new LoginDelays(clock)
  for (let n = 1; n < FREE_FAILURES; n++) delays.failed(HOME, OWNER)
  expect(delays.waitMs(HOME, OWNER)).toBe(0)
  const waits = Array.from({ length: 12 }, () => {
    delays.failed(HOME, OWNER)
    return delays.waitMs(HOME, OWNER)
  })
  expect(waits.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000])
  expect(waits.at(-1)).toBe(900_000)
  await clock.advance(900_000)
  expect(delays.waitMs(HOME, OWNER)).toBe(0)
})

test('a success, or an hour without a failure, forgets the failures', async () => {
  const clock = new ManualClock()
  const delays = new LoginDelays(clock)
  for (let n = 0; n < 20; n++) delays.failed(HOME, OWNER)
  delays.succeeded(HOME, OWNER)
  expect(delays.waitMs(HOME, OWNER)).toBe(0)
  for (let n = 0; n < 20; n++) delays.failed(HOME, OWNER)
  await clock.advance(HOUR_MS)
  delays.failed(HOME, OWNER)
  expect(delays.waitMs(HOME, OWNER)).toBe(0)
})

test('pairs of address and account do not affect each other', () => {
  const delays = new LoginDelays(new ManualClock())
  for (let n = 0; n < 20; n++) delays.failed(HOME, OWNER)
  expect(delays.waitMs('203.0.113.9', 'another')).toBe(0)
})

describe('guesses for one account from many networks', () => {
  const clock = new ManualClock()
  let delays: LoginDelays
  beforeEach(() => {
    delays = new LoginDelays(clock)
  })
  const guess = (n: number) => {
    const network = `2001:db8:0:${n.toString(16)}`
    const waitMs = delays.waitMs(network, OWNER)
    if (waitMs === 0) delays.failed(network, OWNER)
    return waitMs
  }
  const attack = (guesses: number) => Array.from({ length: guesses }, (_, n) => guess(n))

  test('have to wait before each attempt after ACCOUNT_FREE_FAILURES', async () => {
    const waits = attack(1_000)
    expect(waits.filter((ms) => ms === 0)).toHaveLength(ACCOUNT_FREE_FAILURES + 1)
    expect(waits.at(-1)).toBe(ACCOUNT_DELAY_MS)
    await clock.advance(ACCOUNT_DELAY_MS)
    expect(guess(999)).toBe(0)
    expect(guess(999)).toBe(ACCOUNT_DELAY_MS)
  })

  test('do not lock the owner out: a known network does not wait, another one waits once', async () => {
    delays.failed(HOME, OWNER)
    delays.succeeded(HOME, OWNER)
    attack(1_000)
    expect(delays.waitMs(HOME, OWNER)).toBe(0)
    expect(delays.waitMs('198.51.100.1', OWNER)).toBe(ACCOUNT_DELAY_MS)
    await clock.advance(ACCOUNT_DELAY_MS)
    attack(5_000)
    expect(delays.waitMs('198.51.100.1', OWNER)).toBe(0)
  })

  test('do not slow down other accounts', () => {
    attack(1_000)
    expect(delays.waitMs('198.51.100.1', 'another')).toBe(0)
  })

  test('are forgotten an hour after the last one', async () => {
    attack(1_000)
    await clock.advance(HOUR_MS)
    expect(delays.waitMs('198.51.100.1', OWNER)).toBe(0)
  })

  test('do not count if they were right', () => {
    for (let n = 0; n < 10 * ACCOUNT_FREE_FAILURES; n++) {
      delays.failed(`198.51.100.${n}`, OWNER)
      delays.succeeded(`198.51.100.${n}`, OWNER)
    }
    expect(delays.waitMs('203.0.113.1', OWNER)).toBe(0)
  })
})
