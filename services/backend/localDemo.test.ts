import { expect, test } from 'vitest'
import { isLocalDemo } from './localDemo.ts'

const SANDBOX = { sandbox: true, HOST: '127.0.0.1', PUBLIC_URL: 'http://127.0.0.1:4001', TRUST_PROXY: 0 }
const asking = (headers: Readonly<Record<string, string>> = {}, remoteAddress = '127.0.0.1') => ({
  headers: { host: '127.0.0.1:4001', ...headers },
  socket: { remoteAddress },
})

test.each([
  [asking()],
  [asking({ host: 'localhost:4001' })],
  [asking({ host: '[::1]:4001' }, '::1')],
  [asking({}, '::ffff:127.0.0.1')],
])('a browser on the machine of a sandbox installation may sign in as a demo user: %j', (request) => {
  expect(isLocalDemo(request, SANDBOX)).toBe(true)
})

test.each([
  ['from another machine', asking({}, '192.168.1.5')],
  ['by a name that leads to this machine', asking({ host: 'rebound.example:4001' })],
  ['without a host', asking({ host: '' })],
  ['through a proxy', asking({ 'x-forwarded-for': '203.0.113.7' })],
  ['through a proxy that is named', asking({ via: '1.1 proxy' })],
])('a request %s may not', (_, request) => {
  expect(isLocalDemo(request, SANDBOX)).toBe(false)
})

test.each([
  ['that is no sandbox', { sandbox: false }],
  ['that listens on all addresses', { HOST: '0.0.0.0' }],
  ['with a public address', { PUBLIC_URL: 'https://demo.example' }],
  ['behind a proxy', { TRUST_PROXY: 1 }],
])('nobody may in an installation %s', (_, settings) => {
  expect(isLocalDemo(asking(), { ...SANDBOX, ...settings })).toBe(false)
})
