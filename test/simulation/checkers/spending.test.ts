import { describe, expect, test } from 'vitest'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { Company, Key } from '../load/accounts.ts'
import { type Binding, type SharedBudgets, type SharedLevel, UNBOUND, UNSHARED } from '../load/sharedBudgets.ts'
import type { CallFacts } from './callFacts.ts'
import { hardCaps, limitsAreObeyed } from './spending.ts'

const COMPANY: Company = {
  ...{ companyId: 'company', hasHardCap: false, isPostpaid: false },
  ...{ keys: [], grants: [], shared: UNSHARED, suspensions: [] },
}
const LAPSES_MS = 20_000
const timeOf = (ms: number) => new Date(ms).toISOString()

function grant(amountMicros: string, expiresAtMs: number | null, recordedMs = 1_000): RecordedEvent {
  const lot = { priority: 0, expiresAt: expiresAtMs && timeOf(expiresAtMs), rollover: null }
  const data = { grantId: amountMicros, source: 'ADJUSTMENT', amountMicros, lot, grantedAt: timeOf(recordedMs) }
  return eventOf('CreditsGranted', amountMicros, data, recordedMs)
}

/** The calls of a test one after the other, long enough for each to be seen by the next. */
function chargeOf(keyId: string, amountMicros: string, n: number): RecordedEvent {
  const admittedMs = 2_000 + n * 5_000
  const callId = `call ${n}`
  const data = { callId, keyId, amountMicros, admittedAt: timeOf(admittedMs) }
  return eventOf('CallCharged', callId, data, admittedMs + 10)
}

function charge(amountMicros: string, admittedMs: number, recordedMs: number): RecordedEvent {
  const callId = `call of ${amountMicros}`
  const data = { callId, keyId: 'key', amountMicros, admittedAt: timeOf(admittedMs) }
  return eventOf('CallCharged', callId, data, recordedMs)
}

function eventOf(type: string, id: string, data: object, recordedMs: number): RecordedEvent {
  return { id, stream: 'ledger-company', type, data, recordedAt: timeOf(recordedMs) } as unknown as RecordedEvent
}

type Known = { readonly hasHardCap?: boolean; readonly wasPaused?: boolean; readonly company?: Company }

function found(
  { hasHardCap = false, wasPaused = false, company = COMPANY }: Known,
  ...events: RecordedEvent[]
): string | null {
  const facts: CallFacts = {
    ...{ events: () => events, companies: () => [{ ...company, hasHardCap }], attempts: () => [], provided: () => [] },
    ...{ keptUp: () => true, wasPaused: () => wasPaused, wasCutOff: () => false, isLost: () => false, aheadMs: 0 },
  }
  return (hasHardCap ? hardCaps(facts) : limitsAreObeyed(facts)).end() as string | null
}

test('a call that is admitted on nothing but expired credits is found', () => {
  const lapsing = grant('9', LAPSES_MS)
  expect(found({}, lapsing, charge('4', LAPSES_MS, LAPSES_MS + 10))).toContain('without expired credits')
  expect(found({}, lapsing, charge('4', LAPSES_MS - 1, LAPSES_MS + 10))).toBeNull()
  expect(found({}, lapsing, grant('2', null), charge('4', LAPSES_MS, LAPSES_MS + 10))).toBeNull()
})

test('a gateway that cannot know yet what has expired may admit a call', () => {
  const late = charge('4', LAPSES_MS, LAPSES_MS + 10)
  expect(found({ wasPaused: true }, grant('9', LAPSES_MS), late)).toBeNull()
  expect(found({}, grant('9', LAPSES_MS, LAPSES_MS - 5_000), late)).toBeNull()
})

test('under a hard cap, no call costs more than the lots that were valid for it', () => {
  const events = [grant('9', LAPSES_MS), grant('3', null)]
  const capped = { hasHardCap: true }
  expect(found(capped, ...events, charge('4', LAPSES_MS, LAPSES_MS + 10))).toContain('took 1 more than the lots')
  expect(found(capped, ...events, charge('4', LAPSES_MS - 1, LAPSES_MS + 10))).toBeNull()
})

describe('a budget that keys of a company share', () => {
  const key = (keyId: string, bound: Partial<Binding>): Key => ({
    ...{ keyId, raw: '', companyId: 'company', minted: { sentAtMs: 0, answeredAtMs: 0 }, revoked: null, budgets: [] },
    bound: { ...UNBOUND, ...bound },
  })
  const keys = [
    key('a', { projectId: 'p' }),
    key('b', { projectId: 'p', label: 'team', labelFixed: true }),
    key('c', {}),
  ]
  const of = (micros: SharedBudgets['micros'], hasHardCap: boolean, ...calls: [keyId: string, micros: string][]) => {
    const company = { ...COMPANY, keys, hasHardCap, shared: { projectId: 'p', micros } }
    return found(
      { hasHardCap, company },
      grant('100', null),
      ...calls.map(([keyId, spent], n) => chargeOf(keyId, spent, n)),
    )
  }

  test.each<[SharedLevel, [string, string][]]>([
    [
      'company',
      [
        ['a', '2'],
        ['c', '2'],
        ['b', '2'],
      ],
    ],
    [
      'project',
      [
        ['a', '3'],
        ['c', '9'],
        ['b', '3'],
      ],
    ],
    [
      'label',
      [
        ['a', '9'],
        ['c', '9'],
        ['b', '6'],
      ],
    ],
  ])('of the %s counts the calls of those keys', (level, calls) => {
    expect(of({ [level]: 5 }, true, ...calls)).toContain(`a budget of the ${level} to 6, and it is 5`)
    expect(of({ [level]: 6 }, true, ...calls)).toBeNull()
  })

  test('is used up for calls that are admitted later, without a hard cap', () => {
    expect(of({ project: 5 }, false, ['a', '5'], ['c', '1'])).toBeNull()
    expect(of({ project: 5 }, false, ['a', '5'], ['b', '1'])).toContain('a budget of the project, 5, was used up')
  })
})
