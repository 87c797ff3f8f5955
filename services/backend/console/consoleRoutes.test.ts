import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock/clock.ts'
import { createApp } from '../../../platform/http/createApp.ts'
import { serviceGuards } from '../../../platform/http/guards.ts'
import { type HttpServer, listen } from '../../../platform/http/httpServer.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { CONSOLE_SOURCES, type ConsoleState } from './consoleBuild.ts'
import { CONSOLE_PAGES, consoleRoutes } from './consoleRoutes.ts'

const { log } = openLog({ level: 'silent', file: null })
let server: HttpServer | undefined
afterEach(() => server?.drain(100))

const file = (text: string) => ({ contentType: 'text/javascript; charset=utf-8', bytes: Buffer.from(text) })
const BUILT: ConsoleState = {
  status: 'built',
  console: {
    index: { ...file('<p>'), contentType: 'text/html; charset=utf-8', brotli: null, gzip: null },
    assets: new Map([['a-1.js', { ...file('plain'), brotli: Buffer.from('br'), gzip: Buffer.from('gz') }]]),
  },
}

async function get(state: ConsoleState, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const guards = serviceGuards('an-internal-token')
  const handler = createApp({ routes: consoleRoutes({ state }), guards, clock: systemClock, ids: systemIds, log })
  const clock = systemClock
  server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'BACKEND_PORT', clock })
  return fetch(`${server.url}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } })
}

test('200: every page is the document, under a policy without inline scripts', async () => {
  const answer = await get(BUILT, '/calls/11111111-1111-4111-8111-111111111111?as=x')
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe('<p>')
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  const policy = answer.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
})

test.for([
  ['br, gzip', 'br', 2],
  ['gzip', 'gzip', 2],
  ['br;q=0, gzip;q=0.5', 'gzip', 2],
  ['identity', null, 5],
] as const)('200: an asset for accept-encoding %s is sent as %s', async ([accepted, encoding, bytes]) => {
  // A body in an encoding that it does not have would fail to be read.
  const answer = await get(BUILT, '/assets/a-1.js', { 'accept-encoding': accepted })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-encoding')).toBe(encoding)
  expect(answer.headers.get('content-length')).toBe(String(bytes))
  expect(answer.headers.get('cache-control')).toContain('immutable')
  expect(answer.headers.get('vary')).toBe('accept-encoding')
  await answer.arrayBuffer().catch(() => {})
})

test.for(['/assets/b-1.js', '/assets/..%2Findex.html', '/keys/', '/keys/more', '/nothing'])('404: %s', async (path) => {
  expect((await get(BUILT, path)).status).toBe(404)
})

test('200: a page that is being built says so and reloads itself', async () => {
  const answer = await get({ status: 'building' }, '/')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const text = await answer.text()
  expect(text).toContain('is being built')
  expect(text).toContain('http-equiv="refresh"')
})

test('200: a page whose build failed says so and does not reload', async () => {
  const text = await (await get({ status: 'failed' }, '/keys')).text()
  expect(text).toContain('could not be built')
  expect(text).not.toContain('http-equiv="refresh"')
})

test("the pages match the console's router", () => {
  const router = readFileSync(join(CONSOLE_SOURCES.folder, 'src/router.tsx'), 'utf8')
  const paths = [...router.matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) => path.replaceAll('$', ':'))
  expect(paths.length).toBeGreaterThan(3)
  expect(paths.toSorted()).toEqual(CONSOLE_PAGES.toSorted())
})
