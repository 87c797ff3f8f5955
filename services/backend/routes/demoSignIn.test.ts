import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSignInLink, SIGN_IN_LINK_MS } from '../../../capabilities/sessions/signInLinks.ts'
import { type BackendHarness, OWN_PAGE, startBackendHarness } from '../../../test/support/harness/backendHarness.ts'
import { call } from '../../../test/support/harness/gatewayClient.ts'
import { steppedClock } from '../../../test/support/time/steppedClock.ts'
import { startBackend } from '../backend.ts'

const clock = steppedClock(Date.UTC(2026, 5, 1, 12))
let backend: BackendHarness
/** The same installation with SANDBOX=0. */
let production: Awaited<ReturnType<typeof startBackend>>
beforeAll(async () => {
  backend = await startBackendHarness({ clock })
  const { runtime, admin, superAdmin } = backend
  const { DATA_DIR } = runtime.config
  const demo = {
    ...{ adminId: admin.userId, adminEmail: admin.email },
    ...{ superAdminId: superAdmin.userId, superAdminEmail: superAdmin.email },
    ...{ auditorId: '00000000-0000-4000-8000-000000000000', auditorEmail: 'erased@first.example' },
  }
  writeFileSync(join(DATA_DIR, 'demo.json'), JSON.stringify(demo))
  production = await startBackend({ ...runtime, config: { ...runtime.config, sandbox: false } })
})
afterAll(async () => {
  await production.drain(1_000)
  await backend.close()
})

type Headers = Readonly<Record<string, string>>

function signIn(body: object, headers: Headers = OWN_PAGE, url = backend.url) {
  return call(url, '/session', { headers: { 'content-type': 'application/json', ...headers }, body })
}

const linkOf = ({ userId } = backend.admin, tokenVersion = 0) =>
  newSignInLink(backend.runtime.engines.database, { userId, tokenVersion }, clock.now())

test('the link signs the demo admin in once, also if two browsers open it at the same time', async () => {
  const signInLink = await linkOf()
  const statuses = (await Promise.all([1, 2, 3].map(() => signIn({ signInLink })))).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 401, 401])
  expect((await signIn({ signInLink })).status).toBe(401)
})

test('fetching the page of the link does not use it up, and its script is a file of ours', async () => {
  const signInLink = await linkOf()
  for (const path of ['/session/link', '/session/link', '/session/link.js']) {
    const answer = await call(backend.url, path, { method: 'GET' })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'")
    expect(answer.text).not.toMatch(/<script>|\son\w+=/)
  }
  expect((await signIn({ signInLink })).status).toBe(200)
})

test('the link ends with its time, with the next start, and with all sign-ins of its user', async () => {
  const expired = await linkOf()
  clock.advance(SIGN_IN_LINK_MS)
  expect((await signIn({ signInLink: expired })).status).toBe(401)
  const replaced = await linkOf()
  const next = await linkOf()
  expect((await signIn({ signInLink: replaced })).status).toBe(401)
  expect((await signIn({ signInLink: next })).status).toBe(200)
  expect((await signIn({ signInLink: await linkOf(undefined, 1) })).status).toBe(401)
  for (const signInLink of ['', 'tg_signin_', 'x']) expect((await signIn({ signInLink })).status).toBe(401)
})

test('the sign-in page offers the demo users, who need no password', async () => {
  const answer = await call(backend.url, '/session/demo-users', { method: 'GET' })
  expect(answer.json).toEqual({
    users: [
      { email: backend.admin.email, isSuperAdmin: false, role: 'OWNER' },
      { email: backend.superAdmin.email, isSuperAdmin: true, role: null },
    ],
  })
  expect((await signIn({ demoUser: backend.superAdmin.email })).json).toMatchObject({ user: { isSuperAdmin: true } })
  expect((await signIn({ demoUser: 'erased@first.example' })).status).toBe(401)
  expect((await signIn({ demoUser: 'nobody@first.example' })).status).toBe(401)
})

test.each<[string, Headers]>([
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ['a page whose name leads to this machine', { ...OWN_PAGE, host: 'rebound.example' }],
  ['a proxy', { ...OWN_PAGE, 'x-forwarded-for': '203.0.113.7' }],
])('%s can sign nobody in without a password', async (_, headers) => {
  const signInLink = await linkOf()
  for (const body of [{ demoUser: backend.admin.email }, { signInLink }]) {
    expect([401, 403]).toContain((await signIn(body, headers)).status)
  }
  const demo = await call(backend.url, '/session/demo-users', { method: 'GET', headers })
  if (headers['sec-fetch-site'] === 'same-origin') expect(demo.json).toEqual({ users: [] })
  expect((await signIn({ signInLink })).status).toBe(200)
})

test('an installation that is not a sandbox offers no users and accepts no link', async () => {
  expect((await call(production.url ?? '', '/session/demo-users', { method: 'GET' })).json).toEqual({ users: [] })
  for (const body of [{ demoUser: backend.admin.email }, { signInLink: await linkOf() }]) {
    expect((await signIn(body, OWN_PAGE, production.url ?? '')).status).toBe(401)
  }
})
