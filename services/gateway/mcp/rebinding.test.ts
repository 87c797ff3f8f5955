import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { isRebound } from './rebinding.ts'

const request = (host: string | undefined, origin?: string, localAddress = '127.0.0.1') =>
  ({ headers: { host, origin }, socket: { localAddress } }) as unknown as IncomingMessage

test.each([
  ['127.0.0.1:4000', undefined],
  ['localhost:4000', undefined],
  ['[::1]:4000', undefined],
  ['localhost:4000', 'http://localhost:4000'],
  ['127.0.0.1:4000', 'http://localhost:4000'],
  ['localhost', 'http://localhost'],
])('a caller on this machine is one: host %s, origin %s', (host, origin) => {
  expect(isRebound(request(host, origin), 0)).toBe(false)
})

test.each([
  ['evil.example:4000', undefined],
  ['localhost.evil.example', undefined],
  ['evil.example', 'http://evil.example'],
  ['localhost:4000', 'https://evil.example'],
  ['localhost:4000', 'null'],
  ['localhost:4000', 'http://localhost:3000'],
  ['127.0.0.1:4000', 'http://localhost:3000'],
  ['localhost:4000', 'http://localhost'],
  ['localhost', 'https://localhost'],
  ['[::1]:4000', 'http://[::1]:4001'],
  [undefined, undefined],
  ['', undefined],
])('a page that bound a name to loopback is not: host %s, origin %s', (host, origin) => {
  expect(isRebound(request(host, origin), 0)).toBe(true)
})

test('on another address or behind trusted proxies, an Origin must be the Host that is called', () => {
  expect(isRebound(request('api.company.example', undefined, '10.0.0.7'), 0)).toBe(false)
  expect(isRebound(request('api.company.example', 'https://api.company.example', '10.0.0.7'), 0)).toBe(false)
  expect(isRebound(request('api.company.example', 'https://evil.example', '10.0.0.7'), 0)).toBe(true)
  expect(isRebound(request('api.company.example'), 1)).toBe(false)
  expect(isRebound(request('api.company.example', 'http://localhost:3000'), 1)).toBe(true)
})
