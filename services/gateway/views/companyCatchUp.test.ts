import { beforeEach, expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import type { ChangedPositions } from '../../../platform/sharedState/companyChanges/port.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { CHANGE_WAIT_MS, CHANGE_WAITERS_MAX, CompanyCatchUp } from './companyCatchUp.ts'

const at = (number: number) => String(number).padStart(4, '0') as Position
const { log } = openLog({ level: 'silent', file: null })

let clock: ManualClock
let seen: ChangedPositions
let changed: ChangedPositions
let isAway: boolean
let catchUp: CompanyCatchUp

beforeEach(() => {
  clock = new ManualClock()
  seen = { apiKey: at(5), company: at(5), ledger: at(3) }
  changed = {}
  isAway = false
  catchUp = new CompanyCatchUp({
    changes: { read: async () => (isAway ? Promise.reject(new Error('away')) : changed) },
    seen: (_companyId, category) => seen[category] ?? BEGINNING,
    clock,
    log,
  })
})

test('without a change that the views lack, a refusal stands at once', async () => {
  expect(await catchUp.hasCaughtUp('a company')).toBe(false)
  changed = { apiKey: at(4), company: at(5), ledger: at(3) }
  expect(await catchUp.hasCaughtUp('a company')).toBe(false)
})

test('a refusal waits until the view that lacks a change has it', async () => {
  changed = { ledger: at(4) }
  let isOver = false
  const waiting = catchUp.hasCaughtUp('a company').finally(() => {
    isOver = true
  })
  await clock.advance(1_000)
  expect(isOver).toBe(false)
  seen = { ...seen, ledger: at(4) }
  await clock.advance(100)
  expect(await waiting).toBe(true)
})

test('views may catch up while the shared state is queried', async () => {
  changed = { company: at(7) }
  const waiting = catchUp.hasCaughtUp('a company')
  seen = { ...seen, company: at(7) }
  expect(await waiting).toBe(true)
})

test('an earlier refusal is decided again after any recent change', async () => {
  changed = { ledger: at(3) }
  expect(await catchUp.hasCaughtUp('a company')).toBe(false)
  expect(await catchUp.hasCaughtUp('a company', { decidedEarlier: true })).toBe(true)
  changed = {}
  expect(await catchUp.hasCaughtUp('a company', { decidedEarlier: true })).toBe(false)
})

test('a change that the views do not get in time makes the call temporarily unavailable', async () => {
  changed = { apiKey: at(9_999) }
  const waiting = catchUp.hasCaughtUp('a company').catch((error: unknown) => error)
  await clock.advance(CHANGE_WAIT_MS + 10)
  expect(await waiting).toMatchObject({ error: 'unavailable', status: 503, retryAfterSeconds: 1 })
})

test('without an answer of the shared state, a refusal stands at once', async () => {
  isAway = true
  expect(await catchUp.hasCaughtUp('a company')).toBe(false)
})

test('while too many calls wait, a refusal stands at once; slots are released afterwards', async () => {
  changed = { ledger: at(4) }
  const waiting = Array.from({ length: CHANGE_WAITERS_MAX }, () => catchUp.hasCaughtUp('a company'))
  expect(await catchUp.hasCaughtUp('a company')).toBe(false)
  seen = { ...seen, ledger: at(4) }
  await clock.advance(100)
  expect(await Promise.all(waiting)).not.toContain(false)
  changed = { ledger: at(5) }
  const next = catchUp.hasCaughtUp('a company')
  seen = { ...seen, ledger: at(5) }
  expect(await next).toBe(true)
})
