import { describe, test } from 'vitest'
import type { CompanyEvent } from '../../contracts/events/company.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { COMPANY as companyId, second } from '../../test/support/events/billingEvents.ts'
import { registered } from '../../test/support/events/controlEvents.ts'
import { type CompanyCommand, companyDecider } from './decider.ts'

const given = specificationOf(companyDecider)
const at = second(1)
const company = registered(companyId)

const reasonOf = (disputeId: string) => `payment disputed: ${disputeId}`
const dispute = (disputeId: string): CompanyCommand => {
  return { type: 'SuspendCompany', companyId, reason: reasonOf(disputeId), disputeId, at }
}
const over = (...overDisputes: string[]): CompanyCommand => ({ type: 'ResumeCompany', companyId, overDisputes, at })
const suspended = (reason: string, disputeId: string | null): CompanyEvent => {
  return { type: 'CompanySuspended', data: { companyId, reason, disputeId, suspendedAt: at } }
}
const disputed = (disputeId: string) => suspended(reasonOf(disputeId), disputeId)
const byPerson = suspended('unpaid', null)
const resumed: CompanyEvent = { type: 'CompanyResumed', data: { companyId, resumedAt: at } }

describe('a suspension by an open dispute', () => {
  test('is recorded once for each dispute', () => {
    given(company).when(dispute('du_1')).then(disputed('du_1'))
    given(company, disputed('du_1')).when(dispute('du_1')).thenNothing()
    given(company, disputed('du_1')).when(dispute('du_2')).then(disputed('du_2'))
  })

  test('ends when all disputes that suspended the company are over', () => {
    given(company, disputed('du_1')).when(over('du_1')).then(resumed)
    given(company, disputed('du_1'), disputed('du_2')).when(over('du_1')).thenNothing()
    given(company, disputed('du_1'), disputed('du_2')).when(over('du_1', 'du_2')).then(resumed)
    given(company, disputed('du_1'), resumed).when(over('du_1')).thenNothing()
  })

  test('does not replace a suspension by a person, and does not end it', () => {
    given(company, byPerson).when(dispute('du_1')).thenNothing()
    given(company, byPerson).when(over('du_1')).thenNothing()
    given(company, disputed('du_1'), byPerson).when(over('du_1')).thenNothing()
  })

  test('ends when a person resumes the company', () => {
    given(company, disputed('du_1')).when({ type: 'ResumeCompany', companyId, at }).then(resumed)
  })

  test('does not come back with the next event of a dispute in spite of which a person resumed the company', () => {
    given(company, disputed('du_1'), resumed).when(dispute('du_1')).thenNothing()
    given(company, disputed('du_1'), resumed).when(dispute('du_2')).then(disputed('du_2'))
  })

  test('becomes one by a person who gives the same reason', () => {
    const reason = reasonOf('du_1')
    given(company, disputed('du_1'))
      .when({ type: 'SuspendCompany', companyId, reason, at })
      .then(suspended(reason, null))
  })
})
