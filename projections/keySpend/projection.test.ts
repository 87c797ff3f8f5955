import { expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/events/history.ts'
import { charged, failed, granted, refunded, reversed } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { keySpend } from './projection.ts'

const companyId = '11111111-1111-4111-8111-111111111111'
const keyId = '33333333-3333-4333-8333-333333333333'
const callAt = (admittedAt: string, amountMicros: string) => charged(companyId, { keyId, admittedAt, amountMicros })

function spendAfter(...events: LedgerEvent[]) {
  const rows = applyEvents(keySpend, history(streamName('ledger', companyId), ...events))
  return Object.fromEntries(
    [...rows.values()].map(({ period, spentMicros, lastUsedAt }) => [period, [spentMicros, lastUsedAt]]),
  )
}

test('a call counts on the day and in the month in which it was admitted, whenever it finished', () => {
  const last = callAt('2026-03-31T23:59:59.999Z', '7')
  const next = callAt('2026-04-01T00:00:00.000Z', '5')
  expect(spendAfter(next, last)).toEqual({
    '2026-03-31': ['7', '2026-03-31T23:59:59.999Z'],
    '2026-03': ['7', '2026-03-31T23:59:59.999Z'],
    '2026-04-01': ['5', '2026-04-01T00:00:00.000Z'],
    '2026-04': ['5', '2026-04-01T00:00:00.000Z'],
    total: ['12', '2026-04-01T00:00:00.000Z'],
  })
})

test('a reversal gives the credits back in the period of its call', () => {
  const call = callAt('2026-03-31T23:59:59.999Z', '7')
  const spent = spendAfter(call, callAt('2026-04-01T08:00:00.000Z', '5'), reversed(call))
  expect(spent).toMatchObject({ '2026-03-31': ['0', expect.anything()], '2026-04': ['5', expect.anything()] })
  expect(spent.total?.[0]).toBe('5')
})

test('a failed call counts as a use that costs nothing; grants and refunds do not', () => {
  const admittedAt = '2026-03-01T10:00:00.000Z'
  expect(spendAfter(failed(companyId, { keyId, admittedAt })).total).toEqual(['0', admittedAt])
  expect(spendAfter(granted(companyId), refunded(companyId))).toEqual({})
})
