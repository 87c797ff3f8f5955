import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { BillingMode, CompanyEvent } from '../../contracts/events/company.ts'
import { streamName } from '../../contracts/streams.ts'
import { PLAN } from '../../test/support/events/billingEvents.ts'
import {
  creditLimitChanged,
  hardCapChanged,
  noticeSettingsChanged,
  registered,
  resumed,
  suspended,
} from '../../test/support/events/controlEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { AT } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { companies } from './projection.ts'

const companyId = randomUUID()
const billingModeChanged = (
  billingMode: BillingMode,
  planId: string | null = billingMode === 'POSTPAID' ? PLAN : null,
  changedAt = AT,
): CompanyEvent => ({ type: 'BillingModeChanged', data: { companyId, billingMode, planId, changedAt } })
const rowsAfter = (...events: CompanyEvent[]) => [
  ...applyEvents(companies, history(streamName('company', companyId), ...events)).values(),
]

test('a company has a row as registered', () => {
  expect(rowsAfter(registered(companyId, 'Zürich 東京'))).toEqual([
    {
      ...{ companyId, name: 'Zürich 東京', billingMode: 'PREPAID', hardCap: false, registeredAt: AT },
      ...{ suspendedAt: null, suspendedReason: null, lowBalance: 'DEFAULT', lowBalanceMicros: null },
      ...{ creditLimitMicros: null, planId: null, postpaidSince: null, postpaidUntil: null },
    },
  ])
})

test('a credit limit is shown until it is removed', () => {
  const limited = [registered(companyId), creditLimitChanged(companyId, '7')]
  expect(rowsAfter(...limited)).toMatchObject([{ creditLimitMicros: '7' }])
  expect(rowsAfter(...limited, creditLimitChanged(companyId, null))).toMatchObject([{ creditLimitMicros: null }])
})

test('each change sets its own field, and the last one counts', () => {
  const changes = [billingModeChanged('POSTPAID'), hardCapChanged(companyId, true), hardCapChanged(companyId, false)]
  expect(rowsAfter(registered(companyId), ...changes)).toMatchObject([{ billingMode: 'POSTPAID', hardCap: false }])
  expect(rowsAfter(registered(companyId), ...changes.slice(0, 2))).toMatchObject([
    { billingMode: 'POSTPAID', hardCap: true },
  ])
})

test('a suspended company shows since when and why, until it is resumed', () => {
  const history = [registered(companyId), suspended(companyId, 'unpaid')]
  expect(rowsAfter(...history)).toMatchObject([{ suspendedAt: AT, suspendedReason: 'unpaid' }])
  expect(rowsAfter(...history, resumed(companyId))).toMatchObject([{ suspendedAt: null, suspendedReason: null }])
})

test('the limit of a low balance is an amount, or off', () => {
  const amount = [registered(companyId), noticeSettingsChanged(companyId, '5')]
  expect(rowsAfter(...amount)).toMatchObject([{ lowBalance: 'AMOUNT', lowBalanceMicros: '5' }])
  expect(rowsAfter(...amount, noticeSettingsChanged(companyId, null))).toMatchObject([
    { lowBalance: 'OFF', lowBalanceMicros: null },
  ])
})

test('a company is POSTPAID from the first change with a plan until it is PREPAID; the plan is kept', () => {
  const [MAY, JUNE, JULY] = ['2026-05-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z', '2026-07-01T00:00:00.000Z']
  const start = [registered(companyId), billingModeChanged('POSTPAID', null), billingModeChanged('POSTPAID', PLAN, MAY)]
  const since = { planId: PLAN, postpaidSince: MAY, postpaidUntil: null }
  expect(rowsAfter(...start.slice(0, 2))).toMatchObject([{ planId: null, postpaidSince: null }])
  expect(rowsAfter(...start)).toMatchObject([since])
  const another = billingModeChanged('POSTPAID', companyId, JUNE)
  expect(rowsAfter(...start, another)).toMatchObject([{ ...since, planId: companyId }])
  const left = billingModeChanged('PREPAID', null, JUNE)
  expect(rowsAfter(...start, left)).toMatchObject([{ ...since, postpaidUntil: JUNE }])
  const back = billingModeChanged('POSTPAID', PLAN, JULY)
  expect(rowsAfter(...start, left, back)).toMatchObject([{ ...since, postpaidSince: JULY }])
})

test('a company that was never registered cannot change', () => {
  expect(() => rowsAfter(billingModeChanged('POSTPAID'))).toThrow(/never registered/)
})
