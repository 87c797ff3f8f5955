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
  grants: [{ micros: 9, granted: change(1_000) }],
  keys: [{ ...KEY, minted: change(0), revoked: null, budgets: [{ micros: 5, period: 'TOTAL', set: change(1_000) }] }],
  suspensions: [{ suspended: change(500), resumed: change(1_000) }],
}

function charge(amountMicros: string, callId = 'call'): RecordedEvent {
  const admittedAt = new Date(1_500).toISOString()
  const data = { callId, keyId: 'key', amountMicros, admittedAt }
  return { id: callId, stream: 'ledger-company', type: 'CallCharged', data } as unknown as RecordedEvent
}

/** A call that was refused with this code between these two moments. */
function refused(code: string, sentAtMs = 2_000, facts: Partial<CallFacts> = {}): CallFacts {
  const question = { name: 'question', key: KEY }
  const attempt = { question, gateway: 'gateway', code, status: 402, sentAtMs, endedAtMs: sentAtMs + 10 }
  return {
    events: () => [charge('4')],
    companies: () => [COMPANY],
    attempts: () => [attempt as Attempt],
    provided: () => [],
    keptUp: () => false,
    wasCutOff: () => false,
    isLost: () => false,
    aheadMs: 0,
    ...facts,
  }
}

test.for([
  ['INSUFFICIENT_CREDITS', '9'],
  ['KEY_BUDGET_EXCEEDED', '5'],
] as const)('%s is wrong while less is spent than was set before the call', ([code, all]) => {
  const fault = (facts: CallFacts) => creditsCount(facts).end()
  expect(fault(refused(code))).toContain(`at most 4 of ${all} are spent`)
  expect(fault(refused(code, 1_010))).toBeNull()
  expect(fault(refused(code, 2_000, { events: () => [charge(all)] }))).toBeNull()
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
