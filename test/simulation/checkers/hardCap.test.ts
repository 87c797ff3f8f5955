import { expect, test } from 'vitest'
import { hardCapChanged, registered } from '../../support/events/controlEvents.ts'
import { charged, granted, refunded } from '../../support/events/ledgerEvents.ts'
import type { StoredEvent } from './events.ts'
import { overdrawn } from './hardCap.ts'
import { storedStream } from './storedStream.ts'

const COMPANY = '11111111-1111-4111-8111-111111111111'
const company = registered(COMPANY, 'Capped')
const capped = storedStream(`company-${COMPANY}`, { ...company, data: { ...company.data, hardCap: true } } as never)
const ledger = (...events: Parameters<typeof storedStream>[1][]): StoredEvent[] =>
  storedStream(`ledger-${COMPANY}`, ...events)
const grant = granted(COMPANY, { amountMicros: '100' })

test('calls that spend the balance to the last credit are right', () => {
  expect(overdrawn([...capped, ...ledger(grant, charged(COMPANY), charged(COMPANY))])).toBeNull()
})

test('a call that takes the balance below zero is found', () => {
  const calls = ledger(grant, charged(COMPANY), charged(COMPANY), charged(COMPANY))
  expect(overdrawn([...capped, ...calls])).toContain('to -50 millionths')
})

test('a company without a cap, or whose credits were taken otherwise, may owe something', () => {
  const change = storedStream(`company-${COMPANY}`, hardCapChanged(COMPANY, false) as never)
  expect(overdrawn([...capped, ...change, ...ledger(charged(COMPANY))])).toBeNull()
  expect(overdrawn([...capped, ...ledger(refunded(COMPANY), charged(COMPANY))])).toBeNull()
})
