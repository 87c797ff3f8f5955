import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { GuardedCalls } from './guardedCalls.ts'

const COOLDOWN_MS = 60_000

let clock: ManualClock
let calls: number
let changes: string[]
let service: GuardedCalls

beforeEach(() => {
  clock = new ManualClock()
  calls = 0
  changes = []
  service = new GuardedCalls({
    clock,
    cooldownMs: COOLDOWN_MS,
    isOutage: (error) => (error as Error).message !== 'our fault',
    onChange: (state) => changes.push(state),
  })
})

const succeed = () =>
  service.execute(async () => {
    calls++
    return 'fine'
  })
const fail = (message = 'down') =>
  service
    .execute(async () => {
      calls++
      throw new Error(message)
    })
    .catch((error: Error) => error.name)

async function open(): Promise<void> {
  for (let n = 0; n < 5; n++) await fail()
}

test('closed → open at the fifth consecutive failure; from then on no call is made', async () => {
  for (let n = 0; n < 4; n++) await fail()
  await succeed()
  for (let n = 0; n < 4; n++) await fail()
  expect(service.state).toBe('closed')
  await fail()
  expect(service.state).toBe('open')
  expect(service.cooldownLeftMs).toBe(COOLDOWN_MS)
  calls = 0
  expect(await fail()).toBe('BreakerOpen')
  await expect(succeed()).rejects.toThrow(/the next attempt is in 60 s/)
  expect(calls).toBe(0)
})

test('open → half-open when the cool-down ends, even if no call arrives', async () => {
  await open()
  await clock.advance(COOLDOWN_MS - 1)
  expect(service.state).toBe('open')
  await clock.advance(1)
  expect(service.state).toBe('half-open')
  expect(service.cooldownLeftMs).toBe(0)
})

test('half-open → closed when the probe succeeds; other calls wait for the probe', async () => {
  await open()
  await clock.advance(COOLDOWN_MS)
  calls = 0
  const answer = Promise.withResolvers<string>()
  const probe = service.execute(() => {
    calls++
    return answer.promise
  })
  const other = succeed()
  await clock.advance(1)
  expect(calls).toBe(1)
  expect(service.state).toBe('half-open')
  answer.resolve('back')
  expect(await probe).toBe('back')
  expect(await other).toBe('fine')
  expect(service.state).toBe('closed')
  expect(changes).toEqual(['open', 'closed'])
})

test('half-open → open for a whole cool-down when the probe fails; calls that waited for it are refused', async () => {
  await open()
  await clock.advance(COOLDOWN_MS)
  calls = 0
  const [first, second] = await Promise.all([fail(), fail()])
  expect([first, second]).toEqual(['Error', 'BreakerOpen'])
  expect(calls).toBe(1)
  expect(service.state).toBe('open')
  await clock.advance(COOLDOWN_MS - 1)
  expect(service.state).toBe('open')
  await clock.advance(1)
  expect(service.state).toBe('half-open')
})

test('an error that our own request caused does not count as a failure', async () => {
  for (let n = 0; n < 10; n++) await fail('our fault')
  expect(service.state).toBe('closed')
})

test('a probe that fails because of our own request closes the breaker, because the service answered', async () => {
  await open()
  await clock.advance(COOLDOWN_MS)
  expect(await fail('our fault')).toBe('Error')
  expect(service.state).toBe('closed')
  for (let n = 0; n < 4; n++) await fail()
  expect(service.state).toBe('closed')
})
