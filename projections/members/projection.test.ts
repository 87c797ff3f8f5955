import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { registered, roleAssigned, userRemoved } from '../../test/support/events/controlEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { AT } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { members } from './projection.ts'

test('a user has a row with the last role, which is empty once they are removed', () => {
  const [companyId, ada, ben] = [randomUUID(), randomUUID(), randomUUID()]
  const events = [
    registered(companyId),
    roleAssigned(companyId, ada, 'ADMIN'),
    roleAssigned(companyId, ben, 'OWNER'),
    roleAssigned(companyId, ada, 'AUDITOR'),
    userRemoved(companyId, ben),
  ]
  const rows = [...applyEvents(members, history(streamName('company', companyId), ...events)).values()]
  expect(rows).toEqual([
    { companyId, userId: ada, role: 'AUDITOR', changedAt: AT },
    { companyId, userId: ben, role: null, changedAt: AT },
  ])
})
