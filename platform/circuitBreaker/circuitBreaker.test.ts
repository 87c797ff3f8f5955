import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { CircuitBreaker, worstState } from './circuitBreaker.ts'

const COOLDOWN_MS = 60_000

let clock: ManualClock
let changes: string[]
let breaker: CircuitBreaker
beforeEach(() => {
  clock = new ManualClock()
  changes = []
  breaker = new CircuitBreaker({ clock, cooldownMs: COOLDOWN_MS, onChange: (state) => changes.push(state) })
})

/** Makes calls that are let through and fail. */
function fail(times = 1): void {
  for (let n = 0; n < times; n++) {
    const call = {}
    expect(breaker.tryStart(call)).toBe(true)
    breaker.failed(call)
  }
}

async function openAndCoolDown(): Promise<void> {
  fail(5)
  await clock.advance(COOLDOWN_MS)
}

describe('closed', () => {
  test('the fifth consecutive failure opens the breaker', () => {
    fail(4)
    expect(breaker.state).toBe('closed')
    fail()
    expect(breaker.state).toBe('open')
    expect(breaker.tryStart({})).toBe(false)
    expect(breaker.cooldownLeftMs).toBe(COOLDOWN_MS)
    expect(changes).toEqual(['open'])
  })

  test('a complete answer resets the count of failures; an answer that only began does not', () => {
    fail(4)
    breaker.answered({})
    breaker.completed()
    fail(4)
    breaker.answered({})
    expect(breaker.state).toBe('closed')
    fail()
    expect(breaker.state).toBe('open')
  })

  test('complete answers that are disproved count as consecutive failures', () => {
    for (let n = 0; n < 4; n++) breaker.disproved(breaker.completed())
    expect(breaker.state).toBe('closed')
    breaker.disproved(breaker.completed())
    expect(breaker.state).toBe('open')
  })

  test('complete answers that are disproved out of order count too', () => {
    fail(2)
    const [first, second] = [breaker.completed(), breaker.completed()]
    breaker.disproved(second)
    breaker.disproved(first)
    expect(breaker.state).toBe('closed')
    fail(2)
    expect(breaker.state).toBe('open')
  })

  test('a complete answer that is not disproved resets the count of disproved ones', () => {
    for (let n = 0; n < 4; n++) breaker.disproved(breaker.completed())
    breaker.completed()
    breaker.disproved(breaker.completed())
    expect(breaker.state).toBe('closed')
  })

  test('an abandoned call does not count', () => {
    fail(4)
    breaker.abandoned({})
    expect(breaker.state).toBe('closed')
    fail()
    expect(breaker.state).toBe('open')
  })
})

describe('open', () => {
  test('no call is let through until the cool-down ends', async () => {
    fail(5)
    await clock.advance(COOLDOWN_MS - 1)
    expect(breaker.tryStart({})).toBe(false)
    expect(breaker.cooldownLeftMs).toBe(1)
    await clock.advance(1)
    expect(breaker.state).toBe('half-open')
    expect(breaker.tryStart({})).toBe(true)
  })

  test('calls that started before the breaker opened neither close it nor prolong the cool-down', async () => {
    const late = {}
    expect(breaker.tryStart(late)).toBe(true)
    fail(5)
    await clock.advance(COOLDOWN_MS / 2)
    breaker.failed(late)
    breaker.answered(late)
    breaker.completed()
    expect(breaker.state).toBe('open')
    expect(breaker.cooldownLeftMs).toBe(COOLDOWN_MS / 2)
    expect(changes).toEqual(['open'])
  })
})

describe('half-open', () => {
  test('one call is let through as the probe, others are not', async () => {
    await openAndCoolDown()
    expect(breaker.tryStart({})).toBe(true)
    expect(breaker.tryStart({})).toBe(false)
    expect(breaker.state).toBe('half-open')
  })

  test('an answered probe closes the breaker, and its complete answer resets the count', async () => {
    await openAndCoolDown()
    const probe = {}
    breaker.tryStart(probe)
    breaker.answered(probe)
    expect(breaker.state).toBe('closed')
    breaker.completed()
    fail(4)
    expect(breaker.state).toBe('closed')
    expect(changes).toEqual(['open', 'closed'])
  })

  test('a probe whose answer breaks off opens the breaker at once', async () => {
    await openAndCoolDown()
    const probe = {}
    breaker.tryStart(probe)
    breaker.answered(probe)
    breaker.failed(probe)
    expect(breaker.state).toBe('open')
  })

  test('a failed probe opens the breaker for another cool-down', async () => {
    await openAndCoolDown()
    fail()
    expect(breaker.state).toBe('open')
    expect(breaker.cooldownLeftMs).toBe(COOLDOWN_MS)
    await clock.advance(COOLDOWN_MS)
    expect(breaker.tryStart({})).toBe(true)
  })

  test('after an abandoned probe the next call becomes the probe', async () => {
    await openAndCoolDown()
    const probe = {}
    breaker.tryStart(probe)
    breaker.abandoned(probe)
    expect(breaker.state).toBe('half-open')
    expect(breaker.tryStart({})).toBe(true)
  })

  test('only the probe changes the state', async () => {
    const late = {}
    breaker.tryStart(late)
    await openAndCoolDown()
    breaker.tryStart({})
    breaker.failed(late)
    breaker.answered(late)
    breaker.abandoned(late)
    expect(breaker.state).toBe('half-open')
    expect(breaker.tryStart({})).toBe(false)
  })
})

test('the worst of several states is reported', () => {
  expect(worstState([])).toBe('closed')
  expect(worstState(['closed', 'half-open'])).toBe('half-open')
  expect(worstState(['open', 'half-open', 'closed'])).toBe('open')
})
