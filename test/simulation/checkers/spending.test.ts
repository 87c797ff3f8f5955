import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { CallFacts } from './callFacts.ts'
import { hardCaps, limitsAreObeyed } from './spending.ts'

const COMPANY = { companyId: 'company', isPostpaid: false, keys: [], grants: [], suspensions: [] }
const LAPSES_MS = 20_000
const timeOf = (ms: number) => new Date(ms).toISOString()

function grant(amountMicros: string, expiresAtMs: number | null, recordedMs = 1_000): RecordedEvent {
  const lot = { priority: 0, expiresAt: expiresAtMs && timeOf(expiresAtMs), rollover: null }
  const data = { grantId: amountMicros, source: 'ADJUSTMENT', amountMicros, lot, grantedAt: timeOf(recordedMs) }
  return eventOf('CreditsGranted', amountMicros, data, recordedMs)
}

function charge(amountMicros: string, admittedMs: number, recordedMs: number): RecordedEvent {
  const callId = `call of ${amountMicros}`
  const data = { callId, keyId: 'key', amountMicros, admittedAt: timeOf(admittedMs) }
  return eventOf('CallCharged', callId, data, recordedMs)
}

function eventOf(type: string, id: string, data: object, recordedMs: number): RecordedEvent {
  return { id, stream: 'ledger-company', type, data, recordedAt: timeOf(recordedMs) } as unknown as RecordedEvent
}

type Known = { readonly hasHardCap?: boolean; readonly wasPaused?: boolean }

function found({ hasHardCap = false, wasPaused = false }: Known, ...events: RecordedEvent[]): string | null {
  const facts: CallFacts = {
    ...{ events: () => events, companies: () => [{ ...COMPANY, hasHardCap }], attempts: () => [], provided: () => [] },
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
