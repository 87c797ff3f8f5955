import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SESSIONS_PER_USER_MAX } from '../../../capabilities/sessions/sessionTable.ts'
import { SESSION_IDLE_MS, SESSION_MS_MAX } from '../../../capabilities/sessions/sessionTimes.ts'
import { ACCESS_TOKEN_SECONDS } from '../../../platform/secrets/accessTokens.ts'
import {
  type BackendHarness,
  bearer,
  OWN_PAGE,
  PASSWORD,
  startBackendHarness,
} from '../../../test/support/harness/backendHarness.ts'
import { steppedClock } from '../../../test/support/time/steppedClock.ts'
import { startBackend } from '../backend.ts'
import { LOGINS_PER_ADDRESS_MAX } from '../graphql/signIn/logins.ts'

const clock = steppedClock(Date.UTC(2026, 5, 1, 12, 0, 30))
let backend: BackendHarness
beforeAll(async () => {
  backend = await startBackendHarness({ clock })
})
afterAll(() => backend.close())

type Headers = Readonly<Record<string, string>>

async function send(method: string, path: string, headers: Headers, body?: unknown) {
  const answer = await fetch(`${backend.url}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) }
}

/** Signs in as a browser does, and returns the cookie that it sends from then on. */
async function signIn(email = backend.admin.email, headers: Headers = {}) {
  const answer = await send('POST', '/session', { ...OWN_PAGE, ...headers }, { email, password: PASSWORD })
  expect(answer.status).toBe(200)
  const setCookie = answer.headers.get('set-cookie') ?? ''
  return { setCookie, cookie: setCookie.split(';')[0] ?? '', body: answer.body }
}

const whoIs = async (headers: Headers) => (await send('GET', '/session', headers)).body.user?.email ?? null
const ask = async (query: string, headers: Headers) => {
  const { status, body } = await send('POST', '/graphql', headers, { query })
  return { status, data: body.data, code: body.errors?.[0].extensions.code }
}

let people = 0
/** A person of their own, whose sessions no other test ends. */
const aPerson = () => backend.register(`person${people++}@first.example`, backend.companyId)

describe('POST /session', () => {
  test('200 signs the browser in with a cookie that scripts cannot read and other sites do not send', async () => {
    const { setCookie, cookie, body } = await signIn(' Admin@FIRST.example')
    const { admin, companyId, url } = backend
    expect(body).toEqual({
      user: {
        ...{ id: admin.userId, email: admin.email, isSuperAdmin: false, role: 'OWNER' },
        company: {
          ...{ id: companyId, name: expect.any(String), suspendedReason: null },
          ...{ billingMode: 'PREPAID', creditLimitMicros: null },
        },
      },
      session: {
        id: expect.any(String),
        createdAt: new Date(clock.now()).toISOString(),
        expiresAt: new Date(clock.now() + SESSION_IDLE_MS).toISOString(),
        endsAt: new Date(clock.now() + SESSION_MS_MAX).toISOString(),
      },
      now: new Date(clock.now()).toISOString(),
    })
    const name = `tollgate_session_${new URL(url).port}`
    const pattern = `^${name}=tg_session_[\\w-]{43}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict$`
    expect(setCookie).toMatch(new RegExp(pattern))
    expect((await send('GET', '/session', { cookie })).body).toEqual(body)
  })

  test('200 says why the company is suspended', async () => {
    const companyId = await backend.registerCompany()
    const { email } = await backend.register('admin@suspended.example', companyId)
    const { cookie } = await signIn(email)
    const suspend = 'mutation ($id: ID!) { suspendCompany(id: $id, reason: "Unpaid since May") { id } }'
    await backend.ask(suspend, { id: companyId }, await backend.tokenOf(backend.superAdmin))
    const { user } = (await send('GET', '/session', { cookie })).body
    expect(user.company).toMatchObject({ id: companyId, suspendedReason: 'Unpaid since May' })
  })

  test('stores neither the token nor the whole address and user agent', async () => {
    const { email, userId } = await aPerson()
    const { cookie } = await signIn(email, { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' })
    const rows = await backend.runtime.engines.database.query('select * from platform.sessions where user_id = $1', [
      userId,
    ])
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ device: 'Firefox on Linux', network: '127.0.0.0/24' })
    const [, token = ''] = cookie.split('=')
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain('rv:140')
  })

  test('401 for a wrong password and for an unknown address, with the same words and no cookie', async () => {
    const attempt = (email: string) => send('POST', '/session', OWN_PAGE, { email, password: 'x' })
    const [wrong, unknown] = [await attempt(backend.admin.email), await attempt('nobody@first.example')]
    expect(wrong.status).toBe(401)
    expect(wrong.headers.get('set-cookie')).toBeNull()
    expect(unknown.body).toEqual(wrong.body)
  })

  test('403 from a page of another site, and 415 for what a form can send', async () => {
    const body = { email: backend.admin.email, password: PASSWORD }
    const foreignPages: Headers[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
    ]
    for (const foreign of foreignPages) {
      expect(await send('POST', '/session', foreign, body)).toMatchObject({ status: 403 })
    }
    expect((await send('POST', '/session', { ...OWN_PAGE, 'content-type': 'text/plain' }, body)).status).toBe(415)
  })

  test('400 for a body that is neither an address with a password nor a token', async () => {
    for (const body of [{}, { email: 'a@b.example' }, { email: 1, password: 2 }, { token: 'x', extra: 1 }, []]) {
      expect((await send('POST', '/session', OWN_PAGE, body)).status).toBe(400)
    }
  })

  test('200 for an access token, whose expiry also limits the session', async () => {
    const person = await aPerson()
    const { email, userId } = person
    const query = `mutation { login(email: "${email}", password: "${PASSWORD}") { token } }`
    const { data } = await backend.ask(query)
    clock.advance(60_000)
    const answer = await send('POST', '/session', OWN_PAGE, { token: data.login.token })
    expect(answer.body.user.id).toBe(userId)
    const leftMs = Date.parse(answer.body.session.endsAt) - clock.now()
    expect(leftMs).toBeLessThanOrEqual(ACCESS_TOKEN_SECONDS * 1_000 - 60_000)
    expect((await send('POST', '/session', OWN_PAGE, { token: 'no token' })).status).toBe(401)
    clock.advance(ACCESS_TOKEN_SECONDS * 1_000)
    expect((await send('POST', '/session', OWN_PAGE, { token: data.login.token })).status).toBe(401)
  })

  test("never adopts the browser's token, and ends its previous session", async () => {
    const name = `tollgate_session_${new URL(backend.url).port}`
    const chosen = `${name}=tg_session_${'a'.repeat(43)}`
    const first = await signIn(undefined, { cookie: chosen })
    expect(first.cookie).not.toBe(chosen)
    expect(await whoIs({ cookie: chosen })).toBeNull()
    const second = await signIn(undefined, { cookie: first.cookie })
    expect(await whoIs({ cookie: first.cookie })).toBeNull()
    expect(await whoIs({ cookie: second.cookie })).toBe(backend.admin.email)
  })

  test('ends the least recently used session of a user who has too many', async () => {
    const { email } = await aPerson()
    const cookies: string[] = []
    for (let n = 0; n <= SESSIONS_PER_USER_MAX; n++) {
      clock.advance(1_000)
      cookies.push((await signIn(email)).cookie)
    }
    const [first, ...others] = await Promise.all(cookies.map((cookie) => whoIs({ cookie })))
    expect(first).toBeNull()
    expect(new Set(others)).toEqual(new Set([email]))
  })

  test('429 with retry-after after too many attempts, counted together with those of login', async () => {
    clock.advance(60_000)
    for (let n = 0; n < LOGINS_PER_ADDRESS_MAX; n++) {
      await backend.ask(`mutation { login(email: "${backend.admin.email}", password: "${PASSWORD}") { token } }`)
    }
    const body = { email: backend.admin.email, password: PASSWORD }
    const answer = await send('POST', '/session', OWN_PAGE, body)
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    clock.advance(60_000)
    expect((await send('POST', '/session', OWN_PAGE, body)).status).toBe(200)
  })
})

describe('GET /session', () => {
  test('200 with null without a cookie, and for an unknown one', async () => {
    const signedOut = { user: null, session: null, now: new Date(clock.now()).toISOString() }
    const name = `tollgate_session_${new URL(backend.url).port}`
    expect((await send('GET', '/session', {})).body).toEqual(signedOut)
    for (const value of ['', 'x', `tg_session_${'a'.repeat(43)}`, "' or 1=1 --", 'é%00']) {
      expect((await send('GET', '/session', { cookie: encodeURI(`${name}=${value}`) })).body).toEqual(signedOut)
    }
  })

  test('200 for a token, which has no session', async () => {
    const token = await backend.tokenOf(backend.admin)
    expect((await send('GET', '/session', bearer(token))).body).toMatchObject({
      user: { email: backend.admin.email },
      session: null,
    })
  })

  test('two session cookies count as none', async () => {
    const { cookie } = await signIn()
    expect(await whoIs({ cookie: `${cookie}; ${cookie}` })).toBe(backend.admin.email)
    expect(await whoIs({ cookie: `${cookie.replace(/=.*/, '=planted')}; ${cookie}` })).toBeNull()
  })
})

describe('DELETE /session', () => {
  test('200 ends the session and removes the cookie', async () => {
    const { cookie } = await signIn()
    const other = await signIn()
    const answer = await send('DELETE', '/session', { ...OWN_PAGE, cookie })
    expect(answer.headers.get('set-cookie')).toMatch(/^tollgate_session_\d+=; Path=\/; Max-Age=0; /)
    expect(await whoIs({ cookie })).toBeNull()
    expect(await whoIs({ cookie: other.cookie })).toBe(backend.admin.email)
    expect((await send('DELETE', '/session', { ...OWN_PAGE, cookie })).status).toBe(200)
  })

  test('403 from a page of another site', async () => {
    const { cookie } = await signIn()
    expect((await send('DELETE', '/session', { cookie, 'sec-fetch-site': 'same-site' })).status).toBe(403)
    expect(await whoIs({ cookie })).toBe(backend.admin.email)
  })
})

describe('the session in the GraphQL API', () => {
  const WHO = '{ whoAmI { email } }'

  test('counts from a page of this server, and is refused from any other', async () => {
    const { cookie } = await signIn()
    const own: Headers[] = [OWN_PAGE, { origin: backend.url }]
    for (const headers of own) {
      expect((await ask(WHO, { cookie, ...headers })).data.whoAmI.email).toBe(backend.admin.email)
    }
    const foreign: Headers[] = [
      {},
      { 'sec-fetch-site': 'cross-site', origin: backend.url },
      { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:4003' },
      { 'sec-fetch-site': 'none' },
      { origin: 'http://127.0.0.1:1' },
      { origin: 'null' },
      { origin: `${backend.url}.elsewhere.example` },
    ]
    for (const headers of foreign) {
      expect(await ask(WHO, { cookie, ...headers })).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    }
  })

  test('a token beside it wins, valid or not', async () => {
    const { cookie } = await signIn()
    const token = await backend.tokenOf(backend.superAdmin)
    const both = { ...OWN_PAGE, cookie }
    expect((await ask(WHO, { ...both, ...bearer(token) })).data.whoAmI.email).toBe(backend.superAdmin.email)
    expect((await ask(WHO, { ...both, ...bearer('wrong') })).code).toBe('UNAUTHENTICATED')
    expect((await ask(WHO, { ...both, authorization: 'Basic eDp5' })).code).toBe('UNAUTHENTICATED')
  })

  test.each(['signOutEverywhere', 'changePassword', 'removeUser', 'eraseUser'])('%s ends all of them', async (how) => {
    const { email, userId, password } = await aPerson()
    const one = { ...OWN_PAGE, cookie: (await signIn(email)).cookie }
    const two = { ...OWN_PAGE, cookie: (await signIn(email)).cookie }
    const mutations: Readonly<Record<string, () => Promise<{ code?: string | undefined }>>> = {
      signOutEverywhere: () => ask('mutation { signOutEverywhere }', one),
      changePassword: () =>
        ask(`mutation { changePassword(oldPassword: "${password}", newPassword: "a new password") { id } }`, one),
      removeUser: async () =>
        backend.ask(`mutation { removeUser(userId: "${userId}") }`, {}, await backend.tokenOf(backend.superAdmin)),
      eraseUser: async () =>
        backend.ask(`mutation { eraseUser(id: "${userId}") }`, {}, await backend.tokenOf(backend.superAdmin)),
    }
    expect((await mutations[how]?.())?.code).toBeUndefined()
    for (const session of [one, two]) {
      expect((await ask(WHO, session)).code).toBe('UNAUTHENTICATED')
      expect(await whoIs(session)).toBeNull()
    }
  })

  test('a changed role counts at the next request', async () => {
    const { email, userId } = await aPerson()
    const session = { ...OWN_PAGE, cookie: (await signIn(email)).cookie }
    await backend.assignRole(backend.companyId, userId, 'AUDITOR')
    expect((await ask('{ jobs { id } }', session)).code).toBe('FORBIDDEN')
    await backend.assignRole(backend.companyId, userId, 'ADMIN')
    expect((await ask('{ jobs { id } }', session)).code).toBeUndefined()
  })

  test('of a user of a company reads no other company', async () => {
    const session = { ...OWN_PAGE, cookie: (await signIn()).cookie }
    const companyId = await backend.registerCompany()
    expect((await ask(`{ jobs(asCompany: "${companyId}") { id } }`, session)).code).toBe('FORBIDDEN')
  })
})

test('a new JWT_SECRET ends all sessions', async () => {
  const { cookie } = await signIn()
  const { runtime } = backend
  const rotated = await startBackend({ ...runtime, secrets: { ...runtime.secrets, jwtSecret: 'n'.repeat(32) } })
  // The name of the cookie has the port.
  const moved = cookie.replace(/\d+(?==)/, new URL(rotated.url ?? '').port)
  const answer = await fetch(`${rotated.url}/session`, { headers: { cookie: moved } })
  expect(await answer.json()).toEqual({ user: null, session: null, now: new Date(clock.now()).toISOString() })
  await rotated.drain(1_000)
  expect(await whoIs({ cookie })).toBe(backend.admin.email)
})

describe('the list of sessions', () => {
  const LIST = '{ sessions { id device network createdAt lastUsedAt expiresAt isCurrent } }'

  test("shows the user's signed-in browsers, and each can be signed out", async () => {
    const { email, token } = await aPerson()
    const first = { ...OWN_PAGE, cookie: (await signIn(email, { 'user-agent': 'curl/8.5.0' })).cookie }
    clock.advance(60_000)
    const second = { ...OWN_PAGE, cookie: (await signIn(email)).cookie }
    const { sessions } = (await ask(LIST, first)).data
    expect(sessions.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([false, true])
    expect(sessions[1]).toEqual({
      ...{ id: expect.any(String), device: 'curl', network: '127.0.0.0/24', isCurrent: true },
      createdAt: new Date(clock.now() - 60_000).toISOString(),
      lastUsedAt: new Date(clock.now() - 60_000).toISOString(),
      expiresAt: new Date(clock.now() - 60_000 + SESSION_IDLE_MS).toISOString(),
    })
    expect((await ask(`mutation { endSession(id: "${sessions[1].id}") }`, second)).data).toEqual({ endSession: true })
    expect(await whoIs(first)).toBeNull()
    expect((await ask(`mutation { endSession(id: "${sessions[1].id}") }`, second)).code).toBe('NOT_FOUND')
    expect((await backend.ask(LIST, {}, token)).data.sessions).toMatchObject([{ isCurrent: false }])
    expect((await ask('mutation { signOutEverywhere }', second)).code).toBeUndefined()
    const again = { ...OWN_PAGE, cookie: (await signIn(email)).cookie }
    expect((await ask(LIST, again)).data.sessions).toMatchObject([{ isCurrent: true }])
  })
})

describe('time', () => {
  test('a session lasts while it is used, up to its limit', async () => {
    const { email } = await aPerson()
    const { cookie } = await signIn(email)
    const beganAtMs = clock.now()
    while (clock.now() + SESSION_IDLE_MS < beganAtMs + SESSION_MS_MAX) {
      clock.advance(SESSION_IDLE_MS - 1)
      // Two tabs at once.
      expect(await Promise.all([whoIs({ cookie }), whoIs({ cookie })])).toEqual([email, email])
    }
    clock.advance(beganAtMs + SESSION_MS_MAX - clock.now())
    expect(await whoIs({ cookie })).toBeNull()
  })

  test('a session that is not used ends', async () => {
    const { cookie } = await signIn()
    clock.advance(SESSION_IDLE_MS)
    expect(await whoIs({ cookie })).toBeNull()
  })
})
