import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { UserEvent } from '../../contracts/events/user.ts'
import { streamName } from '../../contracts/streams.ts'
import { userErased, userRegistered } from '../../test/support/events/controlEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { AT } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { users } from './projection.ts'

const userId = randomUUID()
const companyId = randomUUID()
const passwordHash = '$scrypt$ln=15,r=8,p=3$c2FsdA$bmV3'
const changed: UserEvent = { type: 'PasswordChanged', data: { userId, passwordHash, changedAt: AT } }
const rowsAfter = (...events: UserEvent[]) => [
  ...applyEvents(users, history(streamName('user', userId), ...events)).values(),
]

test('a user has a row as registered, with the newest password', () => {
  expect(rowsAfter(userRegistered(userId, companyId), changed)).toEqual([
    {
      userId,
      companyId,
      email: 'ada@example.com',
      emailLookup: 'ab'.repeat(32),
      passwordHash,
      isSuperAdmin: false,
      tokenVersion: 1,
      registeredAt: AT,
      erasedAt: null,
    },
  ])
})

test('signing out everywhere raises the version of the tokens and keeps the password', () => {
  const signedOut: UserEvent = { type: 'SignedOutEverywhere', data: { userId, signedOutAt: AT } }
  expect(rowsAfter(userRegistered(userId, companyId), changed, signedOut)).toMatchObject([
    { passwordHash, tokenVersion: 2 },
  ])
})

test('the row of an erased user keeps nothing to find or identify them or sign them in', () => {
  expect(rowsAfter(userRegistered(userId, null), userErased(userId))).toEqual([
    {
      userId,
      companyId: null,
      email: null,
      emailLookup: null,
      passwordHash: null,
      isSuperAdmin: true,
      tokenVersion: 0,
      registeredAt: AT,
      erasedAt: AT,
    },
  ])
})

test('a user who was never registered cannot change', () => {
  expect(() => rowsAfter(changed)).toThrow(/never registered/)
})
