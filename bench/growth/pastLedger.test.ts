import { expect, test } from 'vitest'
import { pastCompanies, pastEvent, pastTimeMs, RECENT_DAYS, RECENT_EVENTS } from './pastLedger.ts'

const DAY_MS = 86_400_000
const UNTIL_MS = Date.UTC(2026, 10, 1)
const companies = pastCompanies({ companyId: crypto.randomUUID(), keyId: crypto.randomUUID() })
const ledgerOf = (events: number) => ({ events, untilMs: UNTIL_MS, companies })

test.each([10_000, 1_000_000])('the times of %i events increase, to the end', (events) => {
  const ledger = ledgerOf(events)
  const numbers = Array.from({ length: 2_000 }, (_, n) => Math.floor((n / 2_000) * events))
  const times = [...numbers, events - 1].map((n) => pastTimeMs(ledger, n))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times.at(-1)).toBe(UNTIL_MS)
})

test('every size has the same number of events in the days that pages show', () => {
  for (const events of [10_000, 10_000_000]) {
    const ledger = ledgerOf(events)
    const beginMs = UNTIL_MS - RECENT_DAYS * DAY_MS
    expect(pastTimeMs(ledger, events - RECENT_EVENTS)).toBeGreaterThan(beginMs)
    expect(pastTimeMs(ledger, events - RECENT_EVENTS - 1)).toBeLessThan(beginMs)
  }
})

test('an event is the same each time, so that an interrupted run appends it once', () => {
  const ledger = ledgerOf(10_000)
  for (const n of [0, 1, 5_000, 9_999]) expect(pastEvent(ledger, n)).toEqual(pastEvent(ledger, n))
})

test('most events are calls of the first company, and all companies have calls, failures, labels and keys', () => {
  const ledger = ledgerOf(10_000)
  const events = Array.from({ length: 10_000 }, (_, n) => pastEvent(ledger, n))
  const large = events.filter(({ companyId }) => companyId === companies[0].companyId)
  expect(large.length / events.length).toBeCloseTo(0.8, 1)
  expect(new Set(events.map(({ companyId }) => companyId)).size).toBe(companies.length)
  expect(new Set(large.map(({ event }) => event.data.keyId)).size).toBe(4)
  expect(new Set(large.map(({ event }) => event.data.alias)).size).toBe(3)
  expect(new Set(large.map(({ event }) => event.data.label)).size).toBe(6)
  expect(new Set(events.map(({ event }) => event.type))).toEqual(
    new Set(['CallCharged', 'CallFailed', 'CreditsGranted']),
  )
})
