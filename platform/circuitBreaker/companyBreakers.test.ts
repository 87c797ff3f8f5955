import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { COMPANY_ACTIVE_MS, CompanyBreakers, FAILING_COMPANIES_MAX, type FailureKind } from './companyBreakers.ts'

const COOLDOWN_MS = 60_000

let clock: ManualClock
let changes: string[]
let breakers: CompanyBreakers
beforeEach(() => {
  clock = new ManualClock()
  changes = []
  breakers = new CompanyBreakers({
    clock,
    cooldownMs: COOLDOWN_MS,
    onChange: (state) => changes.push(state),
    onCompanyChange: (company, state) => changes.push(`${company} ${state}`),
  })
})

function start(company: string): object | null {
  const call = {}
  return breakers.tryStart(call, company) ? call : null
}

const mayCall = (company: string) => {
  const call = start(company)
  if (call) breakers.abandoned(call, company)
  return call !== null
}

/** Makes calls that are let through and fail. */
function fail(company: string, times = 1, kind: FailureKind = 'call'): void {
  for (let n = 0; n < times; n++) {
    const call = start(company)
    if (call === null) throw new Error(`call ${n + 1} of ${company} is refused`)
    breakers.failed(call, company, kind)
  }
}

function succeed(company: string): void {
  const call = start(company)
  if (call === null) throw new Error(`a call of ${company} is refused`)
  breakers.answered(call, company)
  breakers.completed(company)
}

describe('failures that the request may have caused', () => {
  test('stop only the company whose calls fail, if another is active and has answers', () => {
    succeed('b')
    fail('a', 5)
    expect(start('a')).toBeNull()
    expect(breakers.cooldownLeftMs('a')).toBe(COOLDOWN_MS)
    expect(breakers.cooldownLeftMs('b')).toBe(0)
    expect(breakers.state).toBe('closed')
    expect(changes).toEqual(['a open'])
    succeed('b')
    expect(mayCall('c')).toBe(true)
  })

  test('stop all when three companies see them, after five failures in all', () => {
    for (const company of ['a', 'b', 'c', 'd']) succeed(company)
    fail('a', 3)
    fail('b')
    expect(breakers.state).toBe('closed')
    fail('c')
    expect(breakers.state).toBe('open')
    for (const company of ['a', 'b', 'c', 'd', 'newcomer']) expect(start(company)).toBeNull()
    expect(breakers.cooldownLeftMs('newcomer')).toBe(COOLDOWN_MS)
    expect(changes).toEqual(['open'])
  })

  test('of three companies do not stop all if any company gets a complete answer in between', () => {
    fail('a', 2)
    fail('b', 2)
    succeed('d')
    fail('c', 2)
    expect(breakers.state).toBe('closed')
    expect(mayCall('d')).toBe(true)
  })

  test('stop all that are active when those are fewer than three; a company that comes later is let through', () => {
    fail('a', 4)
    fail('b')
    expect(breakers.state).toBe('open')
    expect([start('a'), start('b')]).toEqual([null, null])
    expect([mayCall('c'), mayCall('c')]).toEqual([true, true])
    // Its first failure makes it the third company that sees failures.
    fail('c')
    expect([start('c'), start('d')]).toEqual([null, null])
  })

  test('the answer of a company that came later ends the rest of those that only saw others fail', () => {
    fail('b')
    fail('a', 4)
    expect(breakers.state).toBe('open')
    succeed('c')
    expect(breakers.state).toBe('closed')
    expect(mayCall('b')).toBe(true)
  })

  test('a company that made no call for a while is not waited for', async () => {
    succeed('b')
    await clock.advance(COMPANY_ACTIVE_MS + 1)
    fail('a', 5)
    expect(breakers.state).toBe('open')
  })

  test('a company that has waited ten minutes for a first byte is still active', async () => {
    start('b')
    await clock.advance(600_000)
    fail('a', 5)
    expect(breakers.state).toBe('closed')
  })

  test('the companies that began calls last are the active ones, however many came before', async () => {
    for (const company of ['x', 'y', 'z']) succeed(company)
    await clock.advance(COMPANY_ACTIVE_MS + 1)
    succeed('b')
    fail('a', 5)
    expect(breakers.state).toBe('closed')
  })
})

describe('failures of the service itself', () => {
  test('open the breaker for all after five, whichever companies see them', () => {
    for (const company of ['b', 'c', 'd']) succeed(company)
    fail('a', 5, 'service')
    expect(breakers.state).toBe('open')
    expect([start('a'), start('b'), start('newcomer')]).toEqual([null, null, null])
  })

  test('are counted on their own: four failures of one company and one of the service stop no other company', () => {
    succeed('b')
    fail('a', 4)
    fail('a', 1, 'service')
    expect(breakers.state).toBe('closed')
  })

  test('count from zero after a complete answer of any company', () => {
    fail('a', 4, 'service')
    succeed('b')
    fail('a', 4, 'service')
    expect(breakers.state).toBe('closed')
  })
})

describe('calls that started before the breaker opened', () => {
  test('do not close it, whether their answer begins or is complete', () => {
    const late = start('b') as object
    fail('a', 5, 'service')
    breakers.answered(late, 'b')
    breakers.completed('b')
    expect(breakers.state).toBe('open')
    expect(start('b')).toBeNull()
  })

  test('do not clear the count of companies that saw failures', () => {
    start('a')
    fail('a', 5)
    expect(breakers.state).toBe('open')
    breakers.completed('a')
    fail('c')
    expect(mayCall('d')).toBe(true)
    fail('d')
    // With the failures of a, these are three companies.
    expect(start('e')).toBeNull()
  })

  test('do not close the breaker of their company with a complete answer', () => {
    succeed('b')
    start('a')
    fail('a', 5)
    breakers.completed('a')
    expect(start('a')).toBeNull()
  })

  test('are not taken for the probe of their company when they fail or are abandoned', async () => {
    const [failing, abandoned] = [start('a'), start('a')] as [object, object]
    fail('a', 5, 'service')
    await clock.advance(COOLDOWN_MS)
    const probe = start('a') as object
    breakers.failed(failing, 'a', 'service')
    breakers.abandoned(abandoned, 'a')
    expect(breakers.state).toBe('half-open')
    expect(start('a')).toBeNull()
    breakers.answered(probe, 'a')
    expect(breakers.state).toBe('closed')
  })
})

describe('usage beyond a bound', () => {
  test('stops only its own company, even if three companies or all of them see it', () => {
    for (const company of ['a', 'b', 'c']) {
      for (let n = 0; n < 5; n++) {
        start(company)
        breakers.disproved(breakers.completed(company), company)
      }
      expect(start(company)).toBeNull()
    }
    expect(breakers.state).toBe('closed')
    expect(mayCall('d')).toBe(true)
    for (const company of ['e', 'f', 'g']) {
      fail(company, 5, 'usage')
      expect(start(company)).toBeNull()
    }
    expect(breakers.state).toBe('closed')
    expect(mayCall('h')).toBe(true)
  })
})

describe('after the cool-down', () => {
  test('one call of each company is let through, of at most three companies', async () => {
    fail('a', 5, 'service')
    await clock.advance(COOLDOWN_MS)
    expect(breakers.state).toBe('half-open')
    for (const company of ['a', 'b', 'c']) {
      expect(start(company)).not.toBeNull()
      expect(start(company)).toBeNull()
    }
    expect(start('d')).toBeNull()
  })

  test('a failed probe of one company does not keep the breaker open for others', async () => {
    for (const company of ['b', 'c']) succeed(company)
    fail('a', 5, 'service')
    await clock.advance(COOLDOWN_MS)
    fail('a')
    expect(start('a')).toBeNull()
    expect(breakers.state).toBe('half-open')
    succeed('b')
    expect(breakers.state).toBe('closed')
    expect(mayCall('a')).toBe(true)
  })

  test('failed probes of three companies, or one failure of the service itself, start another cool-down', async () => {
    fail('a', 5, 'service')
    await clock.advance(COOLDOWN_MS)
    for (const company of ['a', 'b', 'c']) start(company)
    await clock.advance(COOLDOWN_MS)
    for (const company of ['a', 'b', 'c']) fail(company)
    expect(breakers.state).toBe('open')
    await clock.advance(COOLDOWN_MS)
    fail('b', 1, 'service')
    expect(breakers.state).toBe('open')
    expect(breakers.cooldownLeftMs('a')).toBe(COOLDOWN_MS)
  })

  test('a slow probe makes room for another after one more cool-down', async () => {
    fail('a', 5, 'service')
    await clock.advance(COOLDOWN_MS)
    expect(start('a')).not.toBeNull()
    await clock.advance(COOLDOWN_MS - 1)
    expect(start('a')).toBeNull()
    await clock.advance(1)
    succeed('a')
    expect(breakers.state).toBe('closed')
  })

  test('an answered probe closes the breaker; if its answer breaks off, it opens again at once', async () => {
    for (const company of ['a', 'b', 'c']) fail(company)
    fail('a', 2)
    expect(breakers.state).toBe('open')
    await clock.advance(COOLDOWN_MS)
    const probe = start('b') as object
    breakers.answered(probe, 'b')
    expect(breakers.state).toBe('closed')
    breakers.failed(probe, 'b', 'call')
    expect(breakers.state).toBe('open')
    expect(changes).toEqual(['open', 'closed', 'open'])
  })

  test('after an answered probe one failure of the service itself opens the breaker again', async () => {
    for (const company of ['b', 'c']) succeed(company)
    fail('a', 5, 'service')
    await clock.advance(COOLDOWN_MS)
    breakers.answered(start('b') as object, 'b')
    fail('a', 1, 'service')
    expect(breakers.state).toBe('open')
  })

  test('after an abandoned probe the next call of the company becomes the probe', async () => {
    fail('a', 5, 'service')
    await clock.advance(COOLDOWN_MS)
    expect([mayCall('a'), mayCall('a')]).toEqual([true, true])
  })

  test('the breaker of one company lets its own probe through, whose answer closes it', async () => {
    succeed('b')
    fail('a', 5)
    await clock.advance(COOLDOWN_MS)
    const probe = start('a') as object
    expect(start('a')).toBeNull()
    breakers.answered(probe, 'a')
    breakers.completed('a')
    expect(mayCall('a')).toBe(true)
    expect(changes).toEqual(['a open', 'a closed'])
  })

  test('a slow probe of one company makes room for another after one more cool-down', async () => {
    succeed('b')
    fail('a', 5)
    await clock.advance(COOLDOWN_MS)
    expect(start('a')).not.toBeNull()
    await clock.advance(COOLDOWN_MS - 1)
    expect(start('a')).toBeNull()
    await clock.advance(1)
    expect(start('a')).not.toBeNull()
  })

  test('a probe of one company that gets no connection makes room for the next call', async () => {
    succeed('b')
    fail('a', 5)
    await clock.advance(COOLDOWN_MS)
    fail('a', 1, 'service')
    expect(mayCall('a')).toBe(true)
  })

  test('a call that the breaker of all refuses is not the probe of its company', async () => {
    for (const company of ['b', 'c']) succeed(company)
    fail('a', 5)
    await clock.advance(COOLDOWN_MS / 2)
    fail('b', 5, 'service')
    await clock.advance(COOLDOWN_MS / 2)
    expect(start('a')).toBeNull()
    await clock.advance(COOLDOWN_MS / 2)
    expect(mayCall('a')).toBe(true)
  })
})

test('beyond the limit, the companies that failed least recently are forgotten', () => {
  const failOne = (company: string, times: number) => {
    succeed('other')
    fail(company, times)
  }
  failOne('again', 4)
  for (let n = 0; n < FAILING_COMPANIES_MAX; n++) {
    failOne(`c${n}`, 5)
    if (n === 0) failOne('again', 1)
  }
  expect(mayCall('c0')).toBe(true)
  expect([start('again'), start('c1')]).toEqual([null, null])
})

test('a wall clock that is set back does not prolong the cool-down', async () => {
  fail('a', 5, 'service')
  const wrong = clock.now()
  await clock.advance(COOLDOWN_MS)
  clock.now = () => wrong - 86_400_000
  expect(breakers.state).toBe('half-open')
})
