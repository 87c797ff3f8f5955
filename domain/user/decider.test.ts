import { describe, test } from 'vitest'
import type { UserEvent } from '../../contracts/events/user.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { EMAIL_CHARS_MAX } from '../mailAddress.ts'
import { type UserCommand, userDecider } from './decider.ts'

const given = specificationOf(userDecider)

const userId = '22222222-2222-4222-8222-222222222222'
const companyId = '11111111-1111-4111-8111-111111111111'
const passwordHash = '$scrypt$ln=15,r=8,p=1$c2FsdA$aGFzaA'
const emailLookup = 'ab'.repeat(32)
const at = '2026-03-01T10:00:00.000Z'

type Register = Extract<UserCommand, { type: 'RegisterUser' }>
const register = (changes: Partial<Register> = {}): Register => ({
  type: 'RegisterUser',
  userId,
  companyId,
  email: 'ada@example.com',
  emailLookup,
  passwordHash,
  isSuperAdmin: false,
  at,
  ...changes,
})
const registered: UserEvent = {
  type: 'UserRegistered',
  data: {
    userId,
    companyId,
    email: 'ada@example.com',
    emailLookup,
    passwordHash,
    isSuperAdmin: false,
    registeredAt: at,
  },
}

describe('registering a user', () => {
  test('keeps the mail address in one spelling, so that it cannot be taken twice', () => {
    given()
      .when(register({ email: ' Ada@Example.COM ' }))
      .then(registered)
  })

  test('accepts a super admin who belongs to no company', () => {
    given()
      .when(register({ companyId: null, isSuperAdmin: true }))
      .then({ ...registered, data: { ...registered.data, companyId: null, isSuperAdmin: true } } as UserEvent)
  })

  test('is refused for any other user without a company', () => {
    given()
      .when(register({ companyId: null }))
      .thenThrows('INVALID', /belong to a company/)
  })

  test('is refused for an existing id', () => {
    given(registered).when(register()).thenThrows('CONFLICT')
  })

  test.each([
    'ada',
    'ada@example',
    'ada @example.com',
    'a@b@example.com',
    'ada@example.com\nbcc: all@example.com',
    'ada\u0000@example.com',
    'ada<eve@example.com>',
    'ada,eve@example.com',
    'ada\ud800@example.com',
    `${'x'.repeat(EMAIL_CHARS_MAX)}@example.com`,
  ])('is refused for the mail address %j', (email) => {
    given()
      .when(register({ email }))
      .thenThrows('INVALID', /mail address/)
  })
})

describe('a password', () => {
  const change = (hash: string): UserCommand => ({ type: 'ChangePassword', userId, passwordHash: hash, at })

  test('changes', () => {
    const newHash = '$scrypt$ln=15,r=8,p=1$c2FsdA$bmV3'
    given(registered)
      .when(change(newHash))
      .then({ type: 'PasswordChanged', data: { userId, passwordHash: newHash, changedAt: at } })
  })

  test('of an unknown user is refused with NOT_FOUND', () => {
    given().when(change(passwordHash)).thenThrows('NOT_FOUND')
  })

  test('that is not hashed never reaches an event, and is not repeated in the refusal', () => {
    given()
      .when(register({ passwordHash: 'correct horse' }))
      .thenThrows('INVALID', /^the password is not hashed$/)
    given(registered)
      .when(change('correct horse'))
      .thenThrows('INVALID', /^the password is not hashed$/)
  })
})

describe('signing out everywhere', () => {
  const signOut: UserCommand = { type: 'SignOutEverywhere', userId, at }

  test('is recorded each time', () => {
    const signedOut: UserEvent = { type: 'SignedOutEverywhere', data: { userId, signedOutAt: at } }
    given(registered).when(signOut).then(signedOut)
    given(registered, signedOut).when(signOut).then(signedOut)
  })

  test('of an unknown user is refused with NOT_FOUND', () => {
    given().when(signOut).thenThrows('NOT_FOUND')
  })
})

describe('an erasure', () => {
  const erased = { type: 'UserErased', data: { userId, erasedAt: at } } as const
  const erase: UserCommand = { type: 'EraseUser', userId, at }

  test('happens once', () => {
    given(registered).when(erase).then(erased)
    given(registered, erased).when(erase).thenNothing()
    given().when(erase).thenThrows('NOT_FOUND')
  })

  test('is final: the id cannot be registered again, and its password cannot be changed', () => {
    given(registered, erased).when(register()).thenThrows('CONFLICT')
    given(registered, erased).when({ type: 'ChangePassword', userId, passwordHash, at }).thenThrows('NOT_FOUND')
  })
})

describe('a password reset', () => {
  const expiresAt = '2026-03-01T11:00:00.000Z'
  const newHash = '$scrypt$ln=15,r=8,p=1$c2FsdA$bmV3'
  const link = (n: number) => ({
    resetId: `33333333-3333-4333-8333-33333333333${n}`,
    tokenHash: `0${n}`.repeat(32),
    expiresAt,
  })
  const requested = (n: number, requestedAt = at): UserEvent => ({
    type: 'PasswordResetRequested',
    data: { userId, ...link(n), requestedAt },
  })
  const request = (n: number, when = at): UserCommand => ({
    ...{ type: 'RequestPasswordReset', userId, ...link(n), at: when },
  })
  const reset = (n: number, when = at): UserCommand => ({
    ...{ type: 'ResetPassword', userId, tokenHash: link(n).tokenHash, passwordHash: newHash, at: when },
  })
  const changed: UserEvent = { type: 'PasswordChanged', data: { userId, passwordHash: newHash, changedAt: at } }

  test('can be requested five times within an hour; further requests change nothing', () => {
    given(registered).when(request(1)).then(requested(1))
    const five = [1, 2, 3, 4, 5].map((n) => requested(n, `2026-03-01T10:0${n}:00.000Z`))
    given(registered, ...five)
      .when(request(6, '2026-03-01T11:00:59.999Z'))
      .thenNothing()
    given(registered, ...five)
      .when(request(6, '2026-03-01T11:01:00.000Z'))
      .then(requested(6, '2026-03-01T11:01:00.000Z'))
  })

  test('of an unknown user is refused with NOT_FOUND', () => {
    given().when(request(1)).thenThrows('NOT_FOUND')
  })

  test('sets a new password once, before it expires', () => {
    given(registered, requested(1)).when(reset(1)).then(changed)
    given(registered, requested(1), changed)
      .when(reset(1))
      .thenThrows('INVALID', /not valid/)
    given(registered, requested(1))
      .when(reset(1, expiresAt))
      .thenThrows('INVALID', /not valid/)
    given(registered, requested(1))
      .when(reset(2))
      .thenThrows('INVALID', /not valid/)
    given()
      .when(reset(1))
      .thenThrows('INVALID', /not valid/)
  })

  test('ends with a newer one and with a changed password', () => {
    given(registered, requested(1), requested(2)).when(reset(1)).thenThrows('INVALID')
    given(registered, requested(1), requested(2)).when(reset(2)).then(changed)
    given(registered, requested(1), changed, requested(2)).when(reset(1)).thenThrows('INVALID')
  })
})

describe('joining a company', () => {
  const other = '44444444-4444-4444-8444-444444444444'
  const join: UserCommand = { type: 'JoinCompany', userId, companyId: other, passwordHash, at }

  test('moves a user to it, with a new password', () => {
    given(registered)
      .when(join)
      .then({ type: 'UserJoined', data: { userId, companyId: other, passwordHash, joinedAt: at } })
  })

  test('is refused for an unknown user and for a super admin', () => {
    given().when(join).thenThrows('NOT_FOUND')
    given({ ...registered, data: { ...registered.data, isSuperAdmin: true } } as UserEvent)
      .when(join)
      .thenThrows('INVALID', /super admin/)
  })
})
