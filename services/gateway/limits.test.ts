import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CallLimits } from '../../contracts/events/callLimits.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { openLog } from '../../platform/logger/logger.ts'
import { MemoryHolds } from '../../platform/sharedState/holds/memoryHolds.ts'
import { memoryRateLimits } from '../../platform/sharedState/memorySharedState.ts'
import { steppedClock } from '../../test/support/time/steppedClock.ts'
import { BackgroundWork } from './backgroundWork.ts'
import { HoldKeeper } from './holds/holdKeeper.ts'
import { placeOf, takePlace } from './limits.ts'
import { RateLimiter } from './rateLimiter.ts'
import type { LiveKey } from './views/keys.ts'
import { LimitView } from './views/limits.ts'

const START_MS = Date.UTC(2026, 0, 1, 12)
const [COMPANY, PROJECT] = [randomUUID(), randomUUID()]
const UNLIMITED: CallLimits = { rpm: null, tpm: null, callsInFlight: null }
const aKey = (changes: Partial<LiveKey> = {}) =>
  ({
    ...{ keyId: randomUUID(), companyId: COMPANY, projectId: PROJECT, rpm: 1_000, tpm: 1_000, callsInFlight: null },
    ...changes,
  }) as LiveKey

let limits: LimitView
let clock: ReturnType<typeof steppedClock>
beforeEach(() => {
  limits = new LimitView()
  clock = steppedClock(START_MS)
})
const set = (id: string, changes: Partial<CallLimits>) => limits.seed([{ id, limits: { ...UNLIMITED, ...changes } }])

describe('requests and tokens a minute', () => {
  const response = { setHeader: () => {}, headersSent: false } as unknown as ServerResponse
  const aLimiter = () => new RateLimiter(memoryRateLimits(clock), clock, { ipRpm: 0, views: { limits } })

  test.each([
    ['project', PROJECT, 'in the project of this key'],
    ['company', COMPANY, 'in the company'],
  ])('of a %s are shared by its keys', async (_, id, where) => {
    set(id, { rpm: 3, tpm: 100 })
    const limiter = aLimiter()
    const [one, other] = [aKey(), aKey()]
    for (const key of [one, other, one]) await limiter.admitRequest(key, response)
    await expect(limiter.admitRequest(other, response)).rejects.toThrow(`Too many requests ${where}: the limit is 3`)
    await limiter.countTokens(one, 99)
    await limiter.admitTokens(other, response)
    await limiter.countTokens(one, 1)
    await expect(limiter.admitTokens(other, response)).rejects.toThrow(`Too many tokens ${where}: the limit is 100`)
    clock.advance(60_000)
    await limiter.admitRequest(other, response)
    await limiter.admitTokens(other, response)
  })

  test('of others are not used up by a key beyond its own limit', async () => {
    set(PROJECT, { rpm: 3 })
    const limiter = aLimiter()
    const greedy = aKey({ rpm: 1 })
    await limiter.admitRequest(greedy, response)
    for (let n = 0; n < 5; n++) await expect(limiter.admitRequest(greedy, response)).rejects.toThrow('with this key')
    for (let n = 0; n < 2; n++) await limiter.admitRequest(aKey(), response)
    await expect(limiter.admitRequest(aKey(), response)).rejects.toThrow('in the project of this key')
    // A key of another project.
    await limiter.admitRequest(aKey({ projectId: null }), response)
  })
})

describe('calls in flight', () => {
  const aKeeper = async () => {
    const views = { ledgerSeen: () => ({ balanceMicros: 0n, position: BEGINNING }) }
    const parts = {
      table: new MemoryHolds(clock),
      views,
      store: { head: async () => BEGINNING },
      clock,
      ids: systemIds,
    }
    const { log } = openLog({ level: 'silent', file: null })
    const keeper = new HoldKeeper({ ...parts, background: new BackgroundWork(clock), log })
    await keeper.start()
    return keeper
  }

  test('of a key, a project and a company have places, which calls give back', async () => {
    set(COMPANY, { callsInFlight: 3 })
    set(PROJECT, { callsInFlight: 2 })
    const holds = await aKeeper()
    const [one, two, alone] = [aKey({ callsInFlight: 1 }), aKey(), aKey({ projectId: null })]
    const take = (key: LiveKey, callId: string) => takePlace({ views: { limits }, holds }, key, callId)
    await take(one, 'a')
    await expect(take(one, 'b')).rejects.toThrow('Too many calls in flight with this key: the limit is 1')
    await take(two, 'c')
    await expect(take(two, 'd')).rejects.toThrow('in flight in the project of this key: the limit is 2')
    await take(alone, 'e')
    await expect(take(alone, 'f')).rejects.toThrow('in flight in the company: the limit is 3')
    holds.callEnded(placeOf('a'))
    await take(two, 'g')
    await expect(take(two, 'h')).rejects.toThrow('project')
    limits.seed([{ id: PROJECT, limits: UNLIMITED }])
    limits.seed([{ id: COMPANY, limits: UNLIMITED }])
    for (let n = 0; n < 5; n++) expect(take(two, `free ${n}`)).toBeNull()
    await holds.stop()
  })
})
