import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BackendHarness, startBackendHarness } from '../../../test/support/harness/backendHarness.ts'
import { call } from '../../../test/support/harness/gatewayClient.ts'

let backend: BackendHarness
let session: Readonly<Record<string, string>>
beforeAll(async () => {
  backend = await startBackendHarness()
  session = await backend.signIn(backend.admin)
})
afterAll(() => backend.close())

/** The request of a browser when a person types the address. */
const BROWSER = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'sec-fetch-site': 'none' }
const get = (path: string, headers: Readonly<Record<string, string>>) => call(backend.url, path, { headers })
const typed = () => ({ ...session, ...BROWSER })

test('200 with GraphiQL for a browser that is signed in, all of it from files of this server', async () => {
  const answer = await get('/graphql', typed())
  expect(answer.status).toBe(200)
  expect(answer.headers['content-security-policy']).toContain("script-src 'self';")
  expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  const files = [...answer.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(files).toHaveLength(3)
  const workers = ['editor', 'json', 'graphql'].map((name) => `/graphql/${name}.worker.js`)
  for (const path of [...files, ...workers]) {
    const file = await get(path, { ...session, 'accept-encoding': 'gzip' })
    expect(file.status, path).toBe(200)
    expect(file.headers['content-type']).toMatch(/^text\/(javascript|css); charset=utf-8$/)
    expect(file.headers['content-encoding']).toBe('gzip')
  }
  expect((await get('/graphql/begin.js', session)).text).toContain('renderYogaGraphiQL')
})

test('303 to the sign-in for a browser that is not signed in, and 401 for the files', async () => {
  const answer = await get('/graphql?query=%7BwhoAmI%7Bemail%7D%7D', BROWSER)
  expect(answer.status).toBe(303)
  expect(answer.headers.location).toBe('/sign-in?to=%2Fgraphql')
  expect((await get('/graphql/graphiql.js', BROWSER)).status).toBe(401)
})

test('200 with data for a client that asks for JSON', async () => {
  const answer = await get('/graphql?query=%7BwhoAmI%7Bemail%7D%7D', { ...session, accept: 'application/json' })
  expect(answer.json.data.whoAmI.email).toBe(backend.admin.email)
})
