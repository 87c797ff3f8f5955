import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { Company } from '../load/accounts.ts'
import type { Attempt } from '../load/attempt.ts'
import type { CallFacts } from './callFacts.ts'
import { creditsCount } from './credits.ts'
import { obedience } from './obedience.ts'

const change = (sentAtMs: number) => ({ sentAtMs, answeredAtMs: sentAtMs + 10 })
const KEY = { keyId: 'key', raw: 'raw', companyId: 'company' }
const COMPANY: Company = {
  ...{ companyId: 'company', hasHardCap: false, isPostpaid: false },
  grants: [{ micros: 9, expiresAtMs: null, granted: change(1_000) }],
  keys: [{ ...KEY, minted: change(0), revoked: null, budgets: [{ micros: 5, period: 'TOTAL', set: change(1_000) }] }],
  suspensions: [{ suspended: change(500), resumed: change(1_000) }],
}

function charge(amountMicros: string, callId = 'call'): RecordedEvent {
  const admittedAt = new Date(1_500).toISOString()
  const data = { callId, keyId: 'key', amountMicros, admittedAt }
  return { id: callId, stream: 'ledger-company', type: 'CallCharged', data } as unknown as RecordedEvent
}

function grant(amountMicros: string, expiresAtMs: number | null = null): RecordedEvent {
  const lot = { priority: 0, expiresAt: expiresAtMs && new Date(expiresAtMs).toISOString(), rollover: null }
  const data = {
    grantId: amountMicros,
    source: 'ADJUSTMENT',
    amountMicros,
    lot,
    grantedAt: new Date(1_000).toISOString(),
  }
  const recordedAt = new Date(1_005).toISOString()
  return {
    id: amountMicros,
    stream: 'ledger-company',
    type: 'CreditsGranted',
    data,
    recordedAt,
  } as unknown as RecordedEvent
}

/** A call that was refused with this code between these two moments. */
function refused(code: string, sentAtMs = 2_000, facts: Partial<CallFacts> = {}): CallFacts {
  const question = { name: 'question', key: KEY }
  const attempt = { question, gateway: 'gateway', code, status: 402, sentAtMs, endedAtMs: sentAtMs + 10 }
  return {
    events: () => [grant('9'), charge('4')],
    companies: () => [COMPANY],
    attempts: () => [attempt as Attempt],
    provided: () => [],
    keptUp: () => false,
    wasPaused: () => false,
    wasCutOff: () => false,
    isLost: () => false,
    aheadMs: 0,
    ...facts,
  }
}

test.for([
  ['INSUFFICIENT_CREDITS', '9', 'it had at least 5 that have not expired'],
  ['KEY_BUDGET_EXCEEDED', '5', 'at most 4 of 5 are spent'],
] as const)('%s is wrong while less is spent than was set before the call', ([code, all, message]) => {
  const fault = (facts: CallFacts) => creditsCount(facts).end()
  expect(fault(refused(code))).toContain(message)
  expect(fault(refused(code, 1_010))).toBeNull()
  expect(fault(refused(code, 2_000, { events: () => [grant('9'), charge(all)] }))).toBeNull()
  expect(fault(refused(code, 2_000, { wasCutOff: () => true }))).toBeNull()
  expect(fault(refused(code, 2_000, { companies: () => [{ ...COMPANY, hasHardCap: true }] }))).toBeNull()
  const uncharged = { question: 'question', callId: 'other', isComplete: true, atMs: 1_900 }
  expect(fault(refused(code, 2_000, { provided: () => [uncharged] as never }))).toBeNull()
})

test('COMPANY_SUSPENDED is wrong after the resumption, even if the store lags', () => {
  const fault = (facts: CallFacts) => obedience(facts).end()
  expect(fault(refused('COMPANY_SUSPENDED'))).toContain('had been resumed')
  expect(fault(refused('COMPANY_SUSPENDED', 1_010))).toBeNull()
  expect(fault(refused('COMPANY_SUSPENDED', 2_000, { wasCutOff: () => true }))).toBeNull()
})

test('INSUFFICIENT_CREDITS is wrong if what has not expired would do, and right if it would not', () => {
  const refusedWith = (lapsing: number, charged: string) => {
    const micros = [
      [7, 3_000],
      [lapsing, null],
    ] as const
    const grants = micros.map(([amount, expiresAtMs]) => ({ micros: amount, expiresAtMs, granted: change(1_000) }))
    const events = [
      grant('7', 3_000),
      grant(String(lapsing)),
      { ...charge(charged), recordedAt: new Date(1_600).toISOString() },
    ]
    const facts = { companies: () => [{ ...COMPANY, grants }], events: () => events }
    return creditsCount(refused('INSUFFICIENT_CREDITS', 20_000, facts)).end()
  }
  expect(refusedWith(5, '9')).toContain('it had at least 3 that have not expired')
  expect(refusedWith(2, '9')).toBeNull()
})
