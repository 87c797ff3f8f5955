import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Position } from '../../../contracts/position.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { PRICES_AGE_MS_MAX, PRICES_WAIT_MS, PriceCurrency } from './priceCurrency.ts'

const at = (number: number) => String(number).padStart(4, '0') as Position
const TRY_AGAIN = { status: 503, headers: { 'retry-after': '1' } }

let clock: ManualClock
let reached: Position
let head: Position
let isAway: boolean
let answerMs: number
let currency: PriceCurrency

beforeEach(() => {
  clock = new ManualClock()
  reached = at(5)
  head = at(5)
  isAway = false
  answerMs = 0
  const read = async () => {
    if (answerMs > 0) await clock.delay(answerMs)
    return isAway ? Promise.reject(new Error('away')) : head
  }
  currency = new PriceCurrency({ head: { read }, reached: () => reached, clock })
})
afterEach(() => currency.stop())

/** Second by second, so that what a check awaits is settled before the next one. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) await clock.advance(Math.min(left, 1_000))
}

test('a view that has passed the head is current, even without new events', async () => {
  await pass(10 * PRICES_AGE_MS_MAX)
  expect(currency.require()).toBeUndefined()
})

test('a view that lags too long admits nothing until it has caught up', async () => {
  head = at(6)
  await pass(PRICES_AGE_MS_MAX - 100)
  expect(currency.require()).toBeUndefined()
  await pass(PRICES_AGE_MS_MAX)
  const refused = expect(currency.require()).rejects.toMatchObject(TRY_AGAIN)
  await pass(2 * PRICES_WAIT_MS + 1_000)
  await refused
  reached = at(6)
  await pass(2_000)
  expect(currency.require()).toBeUndefined()
})

test('the age of a view counts from the request for the head, not from its answer', async () => {
  answerMs = 1_500
  // Asked after a second, answered after two and a half.
  await pass(2_600)
  head = at(6)
  await pass(1_000 + PRICES_AGE_MS_MAX - 2_600)
  const refused = expect(currency.require()).rejects.toMatchObject(TRY_AGAIN)
  await pass(2 * PRICES_WAIT_MS + 1_000)
  await refused
})

test('a store that does not answer leaves the view too old after a while', async () => {
  isAway = true
  await pass(PRICES_AGE_MS_MAX + 1_000)
  await expect(currency.require()).rejects.toMatchObject(TRY_AGAIN)
  isAway = false
  await expect(currency.require()).resolves.toBeUndefined()
})

test('after a suspension of the process the first call is admitted once the head was compared', async () => {
  isAway = true
  await pass(2 * PRICES_AGE_MS_MAX)
  isAway = false
  const waiting = currency.require()
  expect(waiting).toBeInstanceOf(Promise)
  await waiting
  expect(currency.require()).toBeUndefined()
})
