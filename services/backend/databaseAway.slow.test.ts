import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FixedPortPostgres, startFixedPortPostgres } from '../../test/support/databases/fixedPortPostgres.ts'
import { createTemplates, TEMPLATES, urlOf } from '../../test/support/databases/templateDatabases.ts'
import {
  type BackendHarness,
  bearer,
  OWN_PAGE,
  startBackendHarness,
} from '../../test/support/harness/backendHarness.ts'
import { until } from '../../test/support/time/until.ts'

let postgres: FixedPortPostgres
let harness: BackendHarness
let cookie: Record<string, string>

beforeAll(async () => {
  postgres = await startFixedPortPostgres()
  await createTemplates(postgres.url)
  harness = await startBackendHarness({ through: () => urlOf(postgres.url, TEMPLATES['with read models']) })
  cookie = await harness.signIn(harness.admin)
})
afterAll(async () => {
  await harness?.close()
  await postgres?.remove()
})

const AWAY = 'the service cannot reach its database; try again in a few seconds'
const OPERATION = JSON.stringify({ query: '{ jobs { id } }' })

test('while the database is down, requests get 503 with the reason and retry-after', async () => {
  const { url, gatewayUrl, admin, key } = harness
  const json = { 'content-type': 'application/json' }
  const { email, password } = admin
  const ask = () => fetch(`${url}/graphql`, { method: 'POST', headers: { ...json, ...cookie }, body: OPERATION })
  const requests: Record<string, () => Promise<Response>> = {
    session: () => fetch(`${url}/session`, { headers: cookie }),
    'sign in': () =>
      fetch(`${url}/session`, {
        method: 'POST',
        headers: { ...json, ...OWN_PAGE },
        body: JSON.stringify({ email, password }),
      }),
    graphql: ask,
    'graphql by token': () =>
      fetch(`${url}/graphql`, { method: 'POST', headers: { ...json, ...bearer(admin.token) }, body: OPERATION }),
    'graphql sign in': () =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ query: `mutation { login(email: "${email}", password: "${password}") { token } }` }),
      }),
    usage: () => fetch(`${gatewayUrl}/llm/v1/usage`, { headers: bearer(key.raw) }),
  }
  for (const [name, send] of Object.entries(requests)) expect([name, (await send()).status]).toEqual([name, 200])

  await postgres.kill()
  const shown: Record<string, unknown> = {}
  for (const [name, send] of Object.entries(requests)) {
    const answer = await send()
    const text = await answer.text()
    expect(text).not.toMatch(/127\.0\.0\.1|ECONN|terminat|\.ts|postgres/i)
    expect([name, answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([name, 503, true])
    shown[name] = JSON.parse(text)
  }
  const refusal = { errors: [{ message: AWAY, extensions: { code: 'SERVICE_UNAVAILABLE' } }] }
  expect(shown).toMatchObject({
    session: { error: AWAY },
    'sign in': { error: expect.stringContaining('the service cannot reach its database; try again in a few seconds') },
    graphql: refusal,
    'graphql by token': refusal,
    'graphql sign in': {
      errors: [{ message: expect.stringContaining(AWAY), extensions: { code: 'SERVICE_UNAVAILABLE' } }],
    },
    usage: { error: { type: 'api_error', code: 'LLM_GATEWAY_UNAVAILABLE', message: AWAY } },
  })

  await postgres.start()
  await until('the console is served again', async () => (await ask()).status === 200)
})
