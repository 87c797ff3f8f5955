import { describe, test } from 'vitest'
import type { CompanyEvent } from '../../contracts/events/company.ts'
import type { Role } from '../../contracts/roles.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { type CompanyCommand, companyDecider } from './decider.ts'

const given = specificationOf(companyDecider)

const companyId = '11111111-1111-4111-8111-111111111111'
const [ada, ben, eve] = ['a', 'b', 'e'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`) as [
  string,
  string,
  string,
]
const at = '2026-03-01T10:00:00.000Z'
const registered: CompanyEvent = {
  type: 'CompanyRegistered',
  data: { companyId, name: 'Acme', billingMode: 'PREPAID', hardCap: false, registeredAt: at },
}
const assigned = (userId: string, role: Role): CompanyEvent => ({
  type: 'RoleAssigned',
  data: { companyId, userId, role, assignedAt: at },
})
const removed = (userId: string): CompanyEvent => ({ type: 'UserRemoved', data: { companyId, userId, removedAt: at } })
const change = { companyId, unrecorded: [], byOwner: true, at }
const assign = (userId: string, role: Role | null, more = {}): CompanyCommand => ({
  ...{ type: 'AssignRole', userId, role, ...change },
  ...more,
})
const remove = (userId: string, more = {}): CompanyCommand => ({
  ...{ type: 'RemoveUser', userId, isErasure: false, ...change },
  ...more,
})
const company = [registered, assigned(ada, 'OWNER'), assigned(ben, 'ADMIN')]

describe('assigning a role', () => {
  test('without naming one makes the first user the owner and the next an admin', () => {
    given(registered).when(assign(ada, null)).then(assigned(ada, 'OWNER'))
    given(registered, assigned(ada, 'OWNER')).when(assign(ben, null)).then(assigned(ben, 'ADMIN'))
  })

  test('changes nothing for a user who already has it', () => {
    given(...company)
      .when(assign(ben, 'ADMIN'))
      .thenNothing()
    given(...company)
      .when(assign(ben, null))
      .thenNothing()
  })

  test('records the users of an earlier version first: the first one as owner, the others as admins', () => {
    given(registered)
      .when(assign(eve, 'AUDITOR', { unrecorded: [ada, ben, eve] }))
      .then(assigned(ada, 'OWNER'), assigned(ben, 'ADMIN'), assigned(eve, 'ADMIN'), assigned(eve, 'AUDITOR'))
    given(...company)
      .when(assign(ben, 'BILLING', { unrecorded: [ada, eve] }))
      .then(assigned(eve, 'ADMIN'), assigned(ben, 'BILLING'))
  })

  test('of an unknown company is refused with NOT_FOUND', () => {
    given().when(assign(ada, 'OWNER')).thenThrows('NOT_FOUND')
  })
})

describe('the last owner', () => {
  test('keeps the role and stays', () => {
    given(...company)
      .when(assign(ada, 'ADMIN'))
      .thenThrows('CONFLICT', /at least one owner/)
    given(...company)
      .when(remove(ada))
      .thenThrows('CONFLICT', /at least one owner/)
  })

  test('of users of an earlier version stays too', () => {
    given(registered)
      .when(remove(ada, { unrecorded: [ada, ben] }))
      .thenThrows('CONFLICT', /at least one owner/)
  })

  test('may leave once there is another one', () => {
    const two = [...company, assigned(ben, 'OWNER')]
    given(...two)
      .when(remove(ada))
      .then(removed(ada))
    given(...two, removed(ada))
      .when(remove(ben))
      .thenThrows('CONFLICT')
  })

  test('can be erased, and the next user without a named role owns the company', () => {
    given(...company)
      .when(remove(ada, { isErasure: true }))
      .then(removed(ada))
    given(...company, removed(ada))
      .when(assign(eve, null))
      .then(assigned(eve, 'OWNER'))
  })
})

describe('a user who is not an owner', () => {
  const byAdmin = { byOwner: false }

  test('changes and removes others', () => {
    given(...company)
      .when(assign(eve, 'DEVELOPER', byAdmin))
      .then(assigned(eve, 'DEVELOPER'))
    given(...company)
      .when(remove(ben, byAdmin))
      .then(removed(ben))
  })

  test('cannot appoint, change or remove an owner', () => {
    const two = [...company, assigned(eve, 'OWNER')]
    given(...two)
      .when(assign(ben, 'OWNER', byAdmin))
      .thenThrows('INVALID', /only an owner/)
    given(...two)
      .when(assign(ada, 'ADMIN', byAdmin))
      .thenThrows('INVALID', /only an owner/)
    given(...two)
      .when(remove(ada, byAdmin))
      .thenThrows('INVALID', /only an owner/)
  })
})

describe('removing a user', () => {
  test('who is not in the company is refused with NOT_FOUND, unless it follows an erasure', () => {
    given(...company)
      .when(remove(eve))
      .thenThrows('NOT_FOUND')
    given(...company)
      .when(remove(eve, { isErasure: true }))
      .thenNothing()
    given(...company, removed(ben))
      .when(remove(ben))
      .thenThrows('NOT_FOUND')
  })
})
