import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type BreakerState, ModelBreaker, worstState } from './modelBreaker.ts'

const COOLDOWN_MS = 60_000

let calls = 0
let changes: BreakerState[] = []
let breaker: ModelBreaker

beforeEach(() => {
  vi.useFakeTimers()
  calls = 0
  changes = []
  breaker = new ModelBreaker({
    cooldownMs: COOLDOWN_MS,
    isOutage: (error) => (error as Error).message !== 'our fault',
    onChange: (state) => changes.push(state),
  })
})
afterEach(() => {
  vi.useRealTimers()
})

const succeed = () =>
  breaker.execute(async () => {
    calls++
    return 'fine'
  })
const fail = (message = 'down') =>
  breaker
    .execute(async () => {
      calls++
      throw new Error(message)
    })
    .catch((error: Error) => error.name)

async function open(): Promise<void> {
  for (let n = 0; n < 5; n++) await fail()
}

test('closed → open at the fifth failure in a row: from then on nobody is called', async () => {
  for (let n = 0; n < 4; n++) await fail()
  await succeed()
  for (let n = 0; n < 4; n++) await fail()
  expect(breaker.state).toBe('closed')
  await fail()
  expect(breaker.state).toBe('open')
  expect(breaker.restMs).toBe(COOLDOWN_MS)
  calls = 0
  expect(await fail()).toBe('BreakerOpen')
  await expect(succeed()).rejects.toThrow(/rests for 60 s more/)
  expect(calls).toBe(0)
})

test('open → half-open when the rest is over, also when nobody calls', async () => {
  await open()
  vi.advanceTimersByTime(COOLDOWN_MS - 1)
  expect(breaker.state).toBe('open')
  vi.advanceTimersByTime(1)
  expect(breaker.state).toBe('half-open')
  expect(breaker.restMs).toBe(0)
})

test('half-open → closed when the one probe succeeds; meanwhile others wait for it', async () => {
  await open()
  vi.advanceTimersByTime(COOLDOWN_MS)
  calls = 0
  const answer = Promise.withResolvers<string>()
  const probe = breaker.execute(() => {
    calls++
    return answer.promise
  })
  const other = succeed()
  await vi.advanceTimersByTimeAsync(1)
  expect(calls).toBe(1)
  expect(breaker.state).toBe('half-open')
  answer.resolve('back')
  expect(await probe).toBe('back')
  expect(await other).toBe('fine')
  expect(breaker.state).toBe('closed')
  expect(changes).toEqual(['open', 'half-open', 'closed'])
})

test('half-open → open when the probe fails, for a whole rest; those who waited are not let through', async () => {
  await open()
  vi.advanceTimersByTime(COOLDOWN_MS)
  calls = 0
  const [first, second] = await Promise.all([fail(), fail()])
  expect([first, second]).toEqual(['Error', 'BreakerOpen'])
  expect(calls).toBe(1)
  expect(breaker.state).toBe('open')
  vi.advanceTimersByTime(COOLDOWN_MS - 1)
  expect(breaker.state).toBe('open')
  vi.advanceTimersByTime(1)
  expect(breaker.state).toBe('half-open')
})

test('what our own question caused says nothing of the service', async () => {
  for (let n = 0; n < 10; n++) await fail('our fault')
  expect(breaker.state).toBe('closed')
})

test('of several states the worst counts', () => {
  expect(worstState([])).toBe('closed')
  expect(worstState(['closed', 'half-open'])).toBe('half-open')
  expect(worstState(['open', 'half-open', 'closed'])).toBe('open')
})
