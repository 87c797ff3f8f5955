import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { BillingMode, CompanyEvent } from '../../contracts/events/company.ts'
import { streamName } from '../../contracts/streams.ts'
import { hardCapChanged, registered } from '../../test/support/controlEvents.ts'
import { history } from '../../test/support/history.ts'
import { AT } from '../../test/support/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { companies } from './projection.ts'

const companyId = randomUUID()
const billingModeChanged = (billingMode: BillingMode): CompanyEvent => ({
  type: 'BillingModeChanged',
  data: { companyId, billingMode, changedAt: AT },
})
const rowsAfter = (...events: CompanyEvent[]) => [
  ...applyEvents(companies, history(streamName('company', companyId), ...events)).values(),
]

test('a company has a row as it was registered', () => {
  expect(rowsAfter(registered(companyId, 'Zürich 東京'))).toEqual([
    { company_id: companyId, name: 'Zürich 東京', billing_mode: 'PREPAID', hard_cap: false, registered_at: AT },
  ])
})

test('each change sets its own field, and the last one counts', () => {
  const changes = [billingModeChanged('POSTPAID'), hardCapChanged(companyId, true), hardCapChanged(companyId, false)]
  expect(rowsAfter(registered(companyId), ...changes)).toMatchObject([{ billing_mode: 'POSTPAID', hard_cap: false }])
  expect(rowsAfter(registered(companyId), ...changes.slice(0, 2))).toMatchObject([
    { billing_mode: 'POSTPAID', hard_cap: true },
  ])
})

test('a company that was never registered cannot change', () => {
  expect(() => rowsAfter(billingModeChanged('POSTPAID'))).toThrow(/never registered/)
})
