import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/manualClock.ts'
import { CircuitBreaker } from './circuitBreaker.ts'

const COOLDOWN_MS = 60_000

let clock: ManualClock
let changes: string[]
let breaker: CircuitBreaker
beforeEach(() => {
  clock = new ManualClock()
  changes = []
  breaker = new CircuitBreaker({ clock, cooldownMs: COOLDOWN_MS, onChange: (state) => changes.push(state) })
})

/** A call that is let through and fails. */
function fail(times = 1): void {
  for (let n = 0; n < times; n++) {
    const call = {}
    expect(breaker.admits(call)).toBe(true)
    breaker.failed(call)
  }
}

async function openAndRest(): Promise<void> {
  fail(5)
  await clock.advance(COOLDOWN_MS)
}

describe('closed', () => {
  test('the fifth failure in a row opens it', () => {
    fail(4)
    expect(breaker.state).toBe('closed')
    fail()
    expect(breaker.state).toBe('open')
    expect(breaker.admits({})).toBe(false)
    expect(breaker.restMs).toBe(COOLDOWN_MS)
    expect(changes).toEqual(['open'])
  })

  test('a complete answer between them starts the count anew; one that only began does not', () => {
    fail(4)
    breaker.answered({})
    breaker.completed()
    fail(4)
    breaker.answered({})
    expect(breaker.state).toBe('closed')
    fail()
    expect(breaker.state).toBe('open')
  })

  test('a call that was let go counts as nothing', () => {
    fail(4)
    breaker.letGo({})
    expect(breaker.state).toBe('closed')
    fail()
    expect(breaker.state).toBe('open')
  })
})

describe('open', () => {
  test('lets nothing through until it has rested', async () => {
    fail(5)
    await clock.advance(COOLDOWN_MS - 1)
    expect(breaker.admits({})).toBe(false)
    expect(breaker.restMs).toBe(1)
    await clock.advance(1)
    expect(breaker.state).toBe('half-open')
    expect(breaker.admits({})).toBe(true)
  })

  test('calls that were under way when it opened neither close it nor prolong its rest', async () => {
    const late = {}
    expect(breaker.admits(late)).toBe(true)
    fail(5)
    await clock.advance(COOLDOWN_MS / 2)
    breaker.failed(late)
    breaker.answered(late)
    breaker.completed()
    expect(breaker.state).toBe('open')
    expect(breaker.restMs).toBe(COOLDOWN_MS / 2)
    expect(changes).toEqual(['open'])
  })
})

describe('half-open', () => {
  test('one call is the trial, the others wait', async () => {
    await openAndRest()
    expect(breaker.admits({})).toBe(true)
    expect(breaker.admits({})).toBe(false)
    expect(breaker.state).toBe('half-open')
  })

  test('a trial that is answered closes it, and its complete answer starts the count anew', async () => {
    await openAndRest()
    const trial = {}
    breaker.admits(trial)
    breaker.answered(trial)
    expect(breaker.state).toBe('closed')
    breaker.completed()
    fail(4)
    expect(breaker.state).toBe('closed')
    expect(changes).toEqual(['open', 'closed'])
  })

  test('a trial whose answer breaks off opens it at once', async () => {
    await openAndRest()
    const trial = {}
    breaker.admits(trial)
    breaker.answered(trial)
    breaker.failed(trial)
    expect(breaker.state).toBe('open')
  })

  test('a trial that fails opens it for another rest', async () => {
    await openAndRest()
    fail()
    expect(breaker.state).toBe('open')
    expect(breaker.restMs).toBe(COOLDOWN_MS)
    await clock.advance(COOLDOWN_MS)
    expect(breaker.admits({})).toBe(true)
  })

  test('a trial that was let go leaves the trial to the next call', async () => {
    await openAndRest()
    const trial = {}
    breaker.admits(trial)
    breaker.letGo(trial)
    expect(breaker.state).toBe('half-open')
    expect(breaker.admits({})).toBe(true)
  })

  test('only the trial decides', async () => {
    const late = {}
    breaker.admits(late)
    await openAndRest()
    breaker.admits({})
    breaker.failed(late)
    breaker.answered(late)
    breaker.letGo(late)
    expect(breaker.state).toBe('half-open')
    expect(breaker.admits({})).toBe(false)
  })
})
