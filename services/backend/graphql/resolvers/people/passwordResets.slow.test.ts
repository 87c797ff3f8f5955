import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { streamName } from '../../../../../contracts/streams.ts'
import { RESETS_PER_HOUR_MAX } from '../../../../../domain/user/passwordReset.ts'
import { linkToken } from '../../../../../platform/secrets/linkTokens.ts'
import {
  type BackendHarness,
  PASSWORD,
  type Person,
  startBackendHarness,
} from '../../../../../test/support/harness/backendHarness.ts'
import { steppedClock } from '../../../../../test/support/time/steppedClock.ts'
import { until } from '../../../../../test/support/time/until.ts'
import { LOGINS_PER_ADDRESS_MAX } from '../../signIn/logins.ts'
import { RESET_MINUTES } from './passwordResets.ts'

const clock = steppedClock(Date.UTC(2026, 5, 1, 12, 0, 10))
const NEW_PASSWORD = 'a password of my own'
let backend: BackendHarness
let person: Person
let people = 0
beforeAll(async () => {
  backend = await startBackendHarness({ clock })
})
afterAll(() => backend.close())
beforeEach(async () => {
  // Log-ins and resets are limited per minute.
  clock.advance(60_000)
  person = await backend.register(`forgetful${++people}@first.example`, backend.companyId)
})

const request = (email = person.email) =>
  backend.ask('mutation ($email: String!) { requestPasswordReset(email: $email) }', { email })
const reset = (token: string, password = NEW_PASSWORD) =>
  backend.ask(
    'mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) { token } }',
    { token, password },
  )
const login = (password: string) =>
  backend.ask('mutation ($e: String!, $p: String!) { login(email: $e, password: $p) { token } }', {
    e: person.email,
    p: password,
  })
const codeOf = async (token: string) => (await backend.ask('{ whoAmI { id } }', {}, token)).code
/** The tokens that are in the mails to the person, the oldest first. */
const tokens = async () => {
  const found: string[] = []
  for await (const { type, data } of backend.runtime.engines.store.readStream(streamName('user', person.userId))) {
    if (type !== 'PasswordResetRequested') continue
    const link = { kind: 'passwordReset', ownerId: person.userId, linkId: data.resetId } as const
    found.push(linkToken(backend.runtime.secrets.jwtSecret, link))
  }
  return found
}
const requested = async () => {
  const before = (await tokens()).length
  expect((await request()).data).toEqual({ requestPasswordReset: true })
  return until('the reset is recorded', async () => (await tokens())[before])
}

describe('requestPasswordReset', () => {
  test('answers the same for an unknown address, and records nothing', async () => {
    const head = await backend.runtime.engines.store.head()
    const unknown = await request('nobody@first.example')
    await request('not an address')
    expect(await backend.runtime.engines.store.head()).toBe(head)
    expect(unknown).toEqual(await request())
    await until('the reset is recorded', async () => (await tokens()).length === 1)
  })

  test('records five requests of a user within an hour', async () => {
    for (let n = 0; n < RESETS_PER_HOUR_MAX; n++) {
      await requested()
      clock.advance(1_000)
    }
    expect((await request()).data).toEqual({ requestPasswordReset: true })
    const last = (await tokens()).at(-1) ?? ''
    expect(await tokens()).toHaveLength(RESETS_PER_HOUR_MAX)
    expect((await reset(last)).code).toBeUndefined()
  })

  test('is limited per client address, like log-ins', async () => {
    clock.advance(60_000)
    await backend.runtime.engines.sharedState.rateLimits.add('login:address:127.0.0.1', LOGINS_PER_ADDRESS_MAX)
    expect((await request()).code).toBe('RATE_LIMITED')
    expect((await reset('x')).code).toBe('RATE_LIMITED')
    clock.advance(60_000)
  })
})

describe('resetPassword', () => {
  test('sets the password once, ends all tokens and signs in', async () => {
    const token = await requested()
    const { data, code } = await reset(token)
    expect(code).toBeUndefined()
    await until('the old token is refused', async () => (await codeOf(person.token)) === 'UNAUTHENTICATED')
    expect(await codeOf(data.resetPassword.token)).toBeUndefined()
    expect((await login(PASSWORD)).code).toBe('UNAUTHENTICATED')
    expect((await login(NEW_PASSWORD)).code).toBeUndefined()
    const again = await reset(token, 'another password')
    expect(again.code).toBe('BAD_USER_INPUT')
    expect(again.errors?.[0].message).toMatch(/not valid/)
    expect((await login(NEW_PASSWORD)).code).toBeUndefined()
  })

  test('is refused with a token that has expired, was replaced, or is of another user', async () => {
    const late = await requested()
    clock.advance(RESET_MINUTES * 60_000)
    expect((await reset(late)).code).toBe('BAD_USER_INPUT')
    const replaced = await requested()
    const newest = await requested()
    expect((await reset(replaced)).code).toBe('BAD_USER_INPUT')
    for (const text of ['', 'x', newest.replace(person.userId, backend.admin.userId), newest.slice(0, -1)]) {
      expect((await reset(text)).code).toBe('BAD_USER_INPUT')
    }
    expect((await reset(newest, 'short')).errors?.[0].message).toMatch(/characters/)
    expect((await reset(newest)).code).toBeUndefined()
  })

  test('is accepted once if sent several times at once', async () => {
    const token = await requested()
    const replies = await Promise.all([1, 2, 3].map((n) => reset(token, `password number ${n}`)))
    expect(replies.filter(({ code }) => code === undefined)).toHaveLength(1)
  })

  test('is refused for a user who was removed, and after the password was changed', async () => {
    const other = await requested()
    const change = `mutation { changePassword(oldPassword: "${PASSWORD}", newPassword: "yet another one") { id } }`
    expect((await backend.ask(change, {}, person.token)).code).toBeUndefined()
    expect((await reset(other)).code).toBe('BAD_USER_INPUT')
    const token = await requested()
    const removal = `mutation { removeUser(userId: "${person.userId}") }`
    expect((await backend.ask(removal, {}, await backend.tokenOf(backend.superAdmin))).code).toBeUndefined()
    const adminToken = await backend.tokenOf(backend.admin)
    const users = () => backend.ask('{ users { id } }', {}, adminToken)
    await until('the user is removed', async () => {
      return !(await users()).data.users.some(({ id }: { id: string }) => id === person.userId)
    })
    expect((await reset(token)).code).toBe('BAD_USER_INPUT')
    const events = (await tokens()).length
    expect((await request()).data).toEqual({ requestPasswordReset: true })
    expect(await tokens()).toHaveLength(events)
  })
})
