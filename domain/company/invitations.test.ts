import { describe, test } from 'vitest'
import type { CompanyEvent } from '../../contracts/events/company.ts'
import type { Role } from '../../contracts/roles.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { type CompanyCommand, companyDecider } from './decider.ts'
import { INVITATIONS_OPEN_MAX } from './invitations.ts'

const given = specificationOf(companyDecider)

const companyId = '11111111-1111-4111-8111-111111111111'
const idOf = (letter: string) => `${letter.repeat(8)}-1111-4111-8111-111111111111`
const [ada, ben, eve] = [idOf('a'), idOf('b'), idOf('e')]
const at = '2026-03-01T10:00:00.000Z'
const later = '2026-03-02T10:00:00.000Z'
const expiresAt = '2026-03-08T10:00:00.000Z'
const registered: CompanyEvent = {
  type: 'CompanyRegistered',
  data: { companyId, name: 'Acme', billingMode: 'PREPAID', hardCap: false, registeredAt: at },
}
const assigned = (userId: string, role: Role, assignedAt = at): CompanyEvent => ({
  type: 'RoleAssigned',
  data: { companyId, userId, role, assignedAt },
})
const removed = (userId: string): CompanyEvent => ({ type: 'UserRemoved', data: { companyId, userId, removedAt: at } })
/** An invitation to eve@example.com, unless another address is given. */
const link = (n: number, role: Role = 'BILLING', email = 'eve@example.com') => ({
  invitationId: `33333333-3333-4333-8333-${String(n).padStart(12, '0')}`,
  email,
  emailLookup: Buffer.from(email).toString('hex').padEnd(64, '0'),
  role,
  tokenHash: n.toString(16).padStart(64, '0'),
  expiresAt,
})
const invited = (invitedBy: string, ...of: Parameters<typeof link>): CompanyEvent => ({
  type: 'UserInvited',
  data: { companyId, ...link(...of), invitedBy, invitedAt: at },
})
const withdrawn = (n: number, withdrawnAt = at): CompanyEvent => ({
  type: 'InvitationWithdrawn',
  data: { companyId, invitationId: link(n).invitationId, withdrawnAt },
})
const accepted = (n: number, userId: string): CompanyEvent => ({
  type: 'InvitationAccepted',
  data: { companyId, invitationId: link(n).invitationId, userId, acceptedAt: later },
})
const basis = { companyId, unrecorded: [], byOwner: true, at }
const byAdmin = { byOwner: false }
const invite = (userId: string, of: Parameters<typeof link>, more = {}): CompanyCommand => ({
  ...{ type: 'InviteUser', userId, ...link(...of), ...basis },
  ...more,
})
const accept = (n: number, userId = eve, when = later): CompanyCommand => ({
  ...{ type: 'AcceptInvitation', companyId, tokenHash: link(n).tokenHash, userId, at: when },
})
const withdraw = (n: number, more = {}): CompanyCommand => ({
  ...{ type: 'WithdrawInvitation', companyId, invitationId: link(n).invitationId, byOwner: true, at },
  ...more,
})
const company = [registered, assigned(ada, 'OWNER'), assigned(ben, 'ADMIN')]
const having = (...events: CompanyEvent[]) => given(...company, ...events)

describe('inviting a user', () => {
  test('keeps the address in one spelling', () => {
    having()
      .when(invite(ben, [1, 'BILLING', ' Eve@Example.com '], { emailLookup: link(1).emailLookup, byOwner: false }))
      .then(invited(ben, 1))
  })

  test('records the roles of users of an earlier version first, so that it is known who may invite', () => {
    given(registered)
      .when(invite(ada, [1], { unrecorded: [ada, ben] }))
      .then(assigned(ada, 'OWNER'), assigned(ben, 'ADMIN'), invited(ada, 1))
  })

  test('replaces an earlier invitation to the same address', () => {
    having(invited(ada, 1))
      .when(invite(ada, [2, 'AUDITOR']))
      .then(withdrawn(1), invited(ada, 2, 'AUDITOR'))
    having(invited(ada, 1), withdrawn(1), invited(ada, 2))
      .when(accept(1))
      .thenThrows('INVALID', /not valid/)
  })

  test('as an owner is for owners only, even if it would be replaced', () => {
    having()
      .when(invite(ben, [1, 'OWNER'], byAdmin))
      .thenThrows('INVALID', /only an owner/)
    having(invited(ada, 1, 'OWNER'))
      .when(invite(ben, [2, 'BILLING'], byAdmin))
      .thenThrows('INVALID', /only an owner/)
    having()
      .when(invite(ada, [1, 'OWNER']))
      .then(invited(ada, 1, 'OWNER'))
  })

  test('is refused for text that is not an address, and beyond the limit of open invitations', () => {
    having()
      .when(invite(ada, [1, 'BILLING', 'eve@example.com, ben@example.com']))
      .thenThrows('INVALID', /not a mail address/)
    const many = Array.from({ length: INVITATIONS_OPEN_MAX }, (_, n) => invited(ada, n, 'BILLING', `u${n}@x.example`))
    having(...many)
      .when(invite(ada, [9_999]))
      .thenThrows('CONFLICT', /at most 500 open invitations/)
    having(...many)
      .when(invite(ada, [9_999, 'BILLING', 'u7@x.example']))
      .then(withdrawn(7), invited(ada, 9_999, 'BILLING', 'u7@x.example'))
  })
})

describe('accepting an invitation', () => {
  test('assigns its role', () => {
    having(invited(ada, 1))
      .when(accept(1))
      .then(accepted(1, eve), assigned(eve, 'BILLING', later))
  })

  test('works again for a user who was removed', () => {
    having(assigned(eve, 'ADMIN'), removed(eve), invited(ada, 1))
      .when(accept(1))
      .then(accepted(1, eve), assigned(eve, 'BILLING', later))
  })

  test('is refused for a user of the company', () => {
    having(invited(ada, 1), assigned(eve, 'DEVELOPER'))
      .when(accept(1))
      .thenThrows('CONFLICT', /log in/)
  })

  test('is refused with a token that has expired, was withdrawn, or never existed', () => {
    having(invited(ada, 1))
      .when(accept(1, eve, expiresAt))
      .thenThrows('INVALID', /not valid/)
    having(invited(ada, 1), withdrawn(1))
      .when(accept(1))
      .thenThrows('INVALID', /not valid/)
    having(invited(ada, 1))
      .when(accept(2))
      .thenThrows('INVALID', /not valid/)
  })

  test('changes nothing the second time, even after the user was removed', () => {
    const once = [invited(ada, 1), accepted(1, eve), assigned(eve, 'BILLING', later)]
    having(...once)
      .when(accept(1))
      .thenNothing()
    having(...once, removed(eve))
      .when(accept(1))
      .thenNothing()
    having(...once)
      .when(accept(1, idOf('f')))
      .thenThrows('INVALID', /not valid/)
  })
})

describe('withdrawing an invitation', () => {
  test('ends it once', () => {
    having(invited(ada, 1)).when(withdraw(1)).then(withdrawn(1))
    having(invited(ada, 1), withdrawn(1)).when(withdraw(1)).thenThrows('NOT_FOUND')
    having(invited(ada, 1), accepted(1, eve)).when(withdraw(1)).thenThrows('NOT_FOUND')
  })

  test('of an owner is for owners only', () => {
    having(invited(ada, 1, 'OWNER'))
      .when(withdraw(1, byAdmin))
      .thenThrows('INVALID', /only an owner/)
    having(invited(ada, 1)).when(withdraw(1, byAdmin)).then(withdrawn(1))
  })
})

describe('a sender who may no longer invite', () => {
  const change = (userId: string, role: Role): CompanyCommand => ({ type: 'AssignRole', userId, role, ...basis })

  test('loses their open invitations when they are removed', () => {
    having(invited(ben, 1), invited(ben, 2, 'ADMIN', 'ben2@example.com'), invited(ada, 3, 'BILLING', 'x@example.com'))
      .when({ type: 'RemoveUser', userId: ben, isErasure: false, ...basis })
      .then(removed(ben), withdrawn(1), withdrawn(2))
  })

  test('keeps those that the new role allows', () => {
    const sent = [assigned(ben, 'OWNER'), invited(ben, 1, 'OWNER'), invited(ben, 2, 'ADMIN', 'x@example.com')]
    having(...sent)
      .when(change(ben, 'ADMIN'))
      .then(assigned(ben, 'ADMIN'), withdrawn(1))
    having(...sent)
      .when(change(ben, 'DEVELOPER'))
      .then(assigned(ben, 'DEVELOPER'), withdrawn(1), withdrawn(2))
  })
})

test('an access by a super admin is recorded; for an unknown company it is refused with NOT_FOUND', () => {
  const access: CompanyCommand = { type: 'RecordAccess', companyId, userId: eve, at }
  having()
    .when(access)
    .then({ type: 'CompanyAccessed', data: { companyId, userId: eve, accessedAt: at } })
  given().when(access).thenThrows('NOT_FOUND')
})
