import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCESS_TOKEN_SECONDS } from '../../../../../platform/secrets/accessTokens.ts'
import {
  type BackendHarness,
  PASSWORD,
  startBackendHarness,
} from '../../../../../test/support/harness/backendHarness.ts'
import { call } from '../../../../../test/support/harness/gatewayClient.ts'
import { steppedClock } from '../../../../../test/support/time/steppedClock.ts'
import { FREE_FAILURES } from '../../signIn/loginDelays.ts'
import { LOGINS_PER_ADDRESS_MAX } from '../../signIn/logins.ts'

const clock = steppedClock(Date.UTC(2026, 5, 1, 12, 0, 30))
let backend: BackendHarness
beforeAll(async () => {
  backend = await startBackendHarness({ clock, env: { TRUST_PROXY: '1' } })
})
afterAll(() => backend.close())

const WHO_AM_I = '{ whoAmI { id email isSuperAdmin } }'
const login = (email: string, password: string) =>
  backend.ask(
    'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { token expiresAt } }',
    { email, password },
  )
/** Behind one trusted proxy, which names the client. */
const loginFrom = async (address: string, email: string, password: string) =>
  backend.reply(
    await fetch(`${backend.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({
        query: 'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { token } }',
        variables: { email, password },
      }),
    }),
  )
const createUser = (input: object, token = backend.superAdmin.token) =>
  backend.ask(
    'mutation ($input: CreateUserInput!) { createUser(input: $input) { id email isSuperAdmin } }',
    { input },
    token,
  )

describe('login', () => {
  test('returns a token of the user, in any spelling of the e-mail address', async () => {
    const { admin } = backend
    const { data } = await login(' Admin@FIRST.example', PASSWORD)
    const claims = JSON.parse(Buffer.from(data.login.token.split('.')[1], 'base64url').toString())
    expect(claims).toEqual({ sub: admin.userId, email: admin.email, iat: expect.any(Number), exp: expect.any(Number) })
    expect(claims.exp - claims.iat).toBe(ACCESS_TOKEN_SECONDS)
    expect(Date.parse(data.login.expiresAt)).toBe(claims.exp * 1000)
    const { whoAmI } = (await backend.ask(WHO_AM_I, {}, data.login.token)).data
    expect(whoAmI).toEqual({ id: admin.userId, email: 'admin@first.example', isSuperAdmin: false })
  })

  test('answers the same for a wrong password and for an unknown e-mail address', async () => {
    const [wrong, unknown] = [await login(backend.admin.email, 'x'), await login('nobody@first.example', 'x')]
    expect(wrong.code).toBe('UNAUTHENTICATED')
    expect(unknown).toEqual(wrong)
  })

  test('is delayed more after each wrong password from one address, but not from another', async () => {
    const email = 'guessed@first.example'
    await backend.register(email, backend.companyId)
    const from = (address: string, password: string) => loginFrom(address, email, password)
    for (let n = 0; n < FREE_FAILURES; n++) expect((await from('203.0.113.1', 'wrong')).code).toBe('UNAUTHENTICATED')
    const refused = await from('203.0.113.1', PASSWORD)
    expect(refused.code).toBe('RATE_LIMITED')
    expect(refused.errors?.[0].extensions.retryAfterSeconds).toBe(1)
    expect((await from('203.0.113.2', PASSWORD)).code).toBeUndefined()
    expect((await login(backend.admin.email, PASSWORD)).code).toBeUndefined()
  })

  test('is limited per client address, for all accounts together', async () => {
    await backend.runtime.engines.sharedState.rateLimits.add('login:address:127.0.0.1', LOGINS_PER_ADDRESS_MAX)
    expect((await login('anybody@first.example', PASSWORD)).code).toBe('RATE_LIMITED')
    clock.advance(60_000)
  })

  test('counts every attempt of a batch; of one operation only the first is executed', async () => {
    const guess = (n: number) => `g${n}: login(email: "victim@first.example", password: "${n}") { token }`
    const { rateLimits } = backend.runtime.engines.sharedState
    const used = async () => (await rateLimits.read('login:address:127.0.0.1')).used
    clock.advance(60_000)
    const body = [1, 2].map((n) => ({ query: `mutation { ${guess(n)} }` }))
    await call(backend.url, '/graphql', { body })
    expect(await used()).toBe(2)
    await backend.ask(`mutation { ${guess(1)} ${guess(2)} }`)
    expect(await used()).toBe(3)
  })
})

describe('a token is valid only', () => {
  const sign = (claims: object, secret = 'x'.repeat(32), alg = 'HS256') =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret))
  const codeWith = async (token: string) => (await backend.ask(WHO_AM_I, {}, token)).code
  const now = () => Math.floor(clock.now() / 1000)

  test('with our signature and algorithm', async () => {
    const claims = { sub: backend.admin.userId, email: 'x', iat: now(), exp: now() + 60 }
    expect(await codeWith(await sign(claims))).toBeUndefined()
    expect(await codeWith(await sign(claims, 'y'.repeat(32)))).toBe('UNAUTHENTICATED')
    expect(await codeWith(await sign(claims, 'x'.repeat(32), 'HS512'))).toBe('UNAUTHENTICATED')
    const [, payload] = (await sign(claims)).split('.')
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
    expect(await codeWith(unsigned)).toBe('UNAUTHENTICATED')
    expect(await codeWith('nonsense')).toBe('UNAUTHENTICATED')
  })

  test('before its expiry, which it must have', async () => {
    const claims = { sub: backend.admin.userId, email: 'x', iat: now() - 100 }
    expect(await codeWith(await sign({ ...claims, exp: now() }))).toBe('UNAUTHENTICATED')
    expect(await codeWith(await sign(claims))).toBe('UNAUTHENTICATED')
  })

  test('for an existing user in its sub claim', async () => {
    for (const sub of ['00000000-0000-4000-8000-000000000000', "' or true --", '']) {
      expect(await codeWith(await sign({ sub, email: 'x', iat: now(), exp: now() + 60 }))).toBe('UNAUTHENTICATED')
    }
  })
})

describe('changePassword', () => {
  const change = (oldPassword: string, newPassword: string, token: string) =>
    backend.ask(
      'mutation ($o: String!, $n: String!) { changePassword(oldPassword: $o, newPassword: $n) { id email } }',
      { o: oldPassword, n: newPassword },
      token,
    )

  test('needs the old password; afterwards only the new one works', async () => {
    const person = await backend.register('changer@first.example', backend.companyId)
    expect((await change('wrong', 'a new password', person.token)).code).toBe('BAD_USER_INPUT')
    expect((await change(PASSWORD, 'short', person.token)).code).toBe('BAD_USER_INPUT')
    const { data } = await change(PASSWORD, 'a new password', person.token)
    expect(data.changePassword).toEqual({ id: person.userId, email: person.email })
    expect((await login(person.email, PASSWORD)).code).toBe('UNAUTHENTICATED')
    const { token } = (await login(person.email, 'a new password')).data.login
    expect((await backend.ask(WHO_AM_I, {}, token)).code).toBeUndefined()
  })

  test('tokens signed before it are refused at once', async () => {
    const person = await backend.register('signed-out@first.example', backend.companyId)
    expect((await backend.ask(WHO_AM_I, {}, person.token)).code).toBeUndefined()
    await change(PASSWORD, 'a new password', person.token)
    expect((await backend.ask(WHO_AM_I, {}, person.token)).code).toBe('UNAUTHENTICATED')
  })
})

test('signOutEverywhere ends all tokens at once, and the password stays valid', async () => {
  const person = await backend.register('everywhere@first.example', backend.companyId)
  const { token } = (await login(person.email, PASSWORD)).data.login
  expect((await backend.ask('mutation { signOutEverywhere }', {}, token)).data.signOutEverywhere).toBe(true)
  for (const old of [token, person.token]) expect((await backend.ask(WHO_AM_I, {}, old)).code).toBe('UNAUTHENTICATED')
  const again = (await login(person.email, PASSWORD)).data.login.token
  expect((await backend.ask(WHO_AM_I, {}, again)).code).toBeUndefined()
})

describe('createUser', () => {
  test('creates a user who can log in at once', async () => {
    const { companyId } = backend
    const { data } = await createUser({ email: 'New@First.example', password: 'a new password', companyId })
    expect(data.createUser).toMatchObject({ email: 'new@first.example', isSuperAdmin: false })
    expect((await login('new@first.example', 'a new password')).data.login.token).toBeTruthy()
  })

  test('creates one user when several requests use the same e-mail address at once', async () => {
    const input = { email: 'wanted@first.example', password: 'a new password', companyId: backend.companyId }
    const replies = await Promise.all(
      [input, input, { ...input, email: 'WANTED@first.example' }].map((each) => createUser(each)),
    )
    expect(replies.map(({ code }) => code).sort()).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT', undefined])
  })

  test('refuses an e-mail address that is in use', async () => {
    const input = { email: backend.admin.email, password: 'a new password', companyId: backend.companyId }
    expect((await createUser(input)).code).toBe('BAD_USER_INPUT')
  })

  test.each([
    ['a user who has no company and is not a super admin', { companyId: null }, 'BAD_USER_INPUT'],
    ['an unknown company', { companyId: '00000000-0000-4000-8000-000000000000' }, 'NOT_FOUND'],
    ['a companyId that is not an id', { companyId: 'mine' }, 'NOT_FOUND'],
    ['an invalid e-mail address', { email: 'nobody' }, 'BAD_USER_INPUT'],
    ['a short password', { password: 'short' }, 'BAD_USER_INPUT'],
  ])('refuses %s', async (_, changes, code) => {
    const input = { email: 'other@first.example', password: 'a new password', companyId: backend.companyId }
    expect((await createUser({ ...input, ...changes })).code).toBe(code)
  })
})
