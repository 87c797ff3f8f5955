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
      user_id: userId,
      company_id: companyId,
      email: 'ada@example.com',
      email_lookup: 'ab'.repeat(32),
      password_hash: passwordHash,
      is_super_admin: false,
      token_version: 1,
      registered_at: AT,
      erased_at: null,
    },
  ])
})

test('signing out everywhere raises the version of the tokens and keeps the password', () => {
  const signedOut: UserEvent = { type: 'SignedOutEverywhere', data: { userId, signedOutAt: AT } }
  expect(rowsAfter(userRegistered(userId, companyId), changed, signedOut)).toMatchObject([
    { password_hash: passwordHash, token_version: 2 },
  ])
})

test('the row of an erased user keeps nothing to find, identify or sign them in', () => {
  expect(rowsAfter(userRegistered(userId, null), userErased(userId))).toEqual([
    {
      user_id: userId,
      company_id: null,
      email: null,
      email_lookup: null,
      password_hash: null,
      is_super_admin: true,
      token_version: 0,
      registered_at: AT,
      erased_at: AT,
    },
  ])
})

test('a user who was never registered cannot change', () => {
  expect(() => rowsAfter(changed)).toThrow(/never registered/)
})
