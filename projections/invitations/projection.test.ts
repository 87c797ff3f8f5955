import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { CompanyEvent } from '../../contracts/events/company.ts'
import { streamName } from '../../contracts/streams.ts'
import { registered, roleAssigned, userInvited } from '../../test/support/events/controlEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { AT } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { invitations } from './projection.ts'

test('an invitation has a row, whose address is removed once it was accepted or withdrawn', () => {
  const [companyId, open, accepted, withdrawn] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const events: CompanyEvent[] = [
    registered(companyId),
    ...[open, accepted, withdrawn].map((id) => userInvited(companyId, id)),
    { type: 'InvitationAccepted', data: { companyId, invitationId: accepted, userId: open, acceptedAt: AT } },
    roleAssigned(companyId, open, 'BILLING'),
    { type: 'InvitationWithdrawn', data: { companyId, invitationId: withdrawn, withdrawnAt: AT } },
  ]
  const rows = [...applyEvents(invitations, history(streamName('company', companyId), ...events)).values()]
  const common = { companyId, role: 'BILLING', invitedBy: companyId, invitedAt: AT }
  const ended = { ...common, email: null, emailLookup: null, expiresAt: '2099-01-01T00:00:00.000Z', endedAt: AT }
  expect(rows).toEqual([
    {
      ...common,
      invitationId: open,
      status: 'OPEN',
      email: 'eve@example.com',
      emailLookup: 'cd'.repeat(32),
      expiresAt: '2099-01-01T00:00:00.000Z',
      endedAt: null,
    },
    { ...ended, invitationId: accepted, status: 'ACCEPTED' },
    { ...ended, invitationId: withdrawn, status: 'WITHDRAWN' },
  ])
})
