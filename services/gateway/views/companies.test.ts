import { expect, test } from 'vitest'
import type { CompanyRow } from '../../../projections/companies/projection.ts'
import {
  billingModeChanged,
  creditLimitChanged,
  hardCapChanged,
  registered,
  resumed,
  suspended,
} from '../../../test/support/events/controlEvents.ts'
import { AT } from '../../../test/support/events/ledgerEvents.ts'
import { CompanyView } from './companies.ts'

const companyId = '11111111-1111-4111-8111-111111111111'
const row: CompanyRow = {
  ...{ companyId, name: 'Acme', billingMode: 'PREPAID', hardCap: true, registeredAt: AT },
  ...{ creditLimitMicros: null, planId: null, postpaidSince: null, postpaidUntil: null },
  ...{ suspendedAt: AT, suspendedReason: 'unpaid', lowBalance: 'DEFAULT', lowBalanceMicros: null },
}

test('a company is suspended from its suspension until it is resumed', () => {
  const view = new CompanyView()
  view.apply(registered(companyId))
  expect(view.isSuspended(companyId)).toBe(false)
  view.apply(suspended(companyId))
  view.apply(hardCapChanged(companyId, true))
  expect(view.isSuspended(companyId)).toBe(true)
  view.apply(resumed(companyId))
  expect(view.isSuspended(companyId)).toBe(false)
})

test('a company that the read model shows as suspended is suspended from the start', () => {
  const view = new CompanyView()
  view.seed([row, { ...row, companyId: 'other', suspendedAt: null, suspendedReason: null }])
  expect(view.isSuspended(companyId)).toBe(true)
  expect(view.isSuspended('other')).toBe(false)
  expect(view.hasHardCap(companyId)).toBe(true)
})

test('a credit limit counts while the company is POSTPAID, and gives its hard cap a meaning', () => {
  const view = new CompanyView()
  view.apply(registered(companyId))
  view.apply(creditLimitChanged(companyId, '500'))
  expect(view.creditLimitMicros(companyId)).toBeNull()
  view.apply(hardCapChanged(companyId, true))
  view.apply(billingModeChanged(companyId, 'POSTPAID'))
  expect([view.creditLimitMicros(companyId), view.hasHardCap(companyId)]).toEqual([500n, true])
  view.apply(creditLimitChanged(companyId, null))
  expect([view.creditLimitMicros(companyId), view.hasHardCap(companyId)]).toEqual([null, false])
})

test('a credit limit of the read model counts from the start', () => {
  const view = new CompanyView()
  view.seed([{ ...row, billingMode: 'POSTPAID', creditLimitMicros: '7' }])
  expect(view.creditLimitMicros(companyId)).toBe(7n)
})
