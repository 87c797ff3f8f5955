import { expect, test } from 'vitest'
import type { CompanyRow } from '../../../projections/companies/projection.ts'
import { hardCapChanged, registered, resumed, suspended } from '../../../test/support/events/controlEvents.ts'
import { AT } from '../../../test/support/events/ledgerEvents.ts'
import { CompanyView } from './companies.ts'

const companyId = '11111111-1111-4111-8111-111111111111'
const row: CompanyRow = {
  ...{ company_id: companyId, name: 'Acme', billing_mode: 'PREPAID', hard_cap: true, registered_at: AT },
  ...{ plan_id: null, postpaid_since: null, postpaid_until: null },
  ...{ suspended_at: AT, suspended_reason: 'unpaid', low_balance: 'DEFAULT', low_balance_micros: null },
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
  view.seed([row, { ...row, company_id: 'other', suspended_at: null, suspended_reason: null }])
  expect(view.isSuspended(companyId)).toBe(true)
  expect(view.isSuspended('other')).toBe(false)
  expect(view.hasHardCap(companyId)).toBe(true)
})
