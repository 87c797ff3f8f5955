import { expect, test } from 'vitest'
import { endedCookieHeader, sessionCookie, sessionCookieHeader } from './sessionCookie.ts'

const asking = (host: string, cookie = '') => ({ headers: { host, cookie } })

test.each([
  ['console.example', undefined],
  ['console.example', 'http://console.example'],
  ['192.168.1.5:4001', 'http://127.0.0.1:4001'],
  ['127.0.0.1:4001', 'https://console.example'],
  ['', undefined],
  ['127.0.0.1.elsewhere.example', undefined],
])('the cookie for the host %j with PUBLIC_URL %j is Secure and bound to its host', (host, publicUrl) => {
  const header = sessionCookieHeader(asking(host), { PUBLIC_URL: publicUrl }, 'secret', 90_500)
  expect(header).toBe('__Host-tollgate_session=secret; Path=/; Max-Age=90; HttpOnly; SameSite=Strict; Secure')
})

test.each([
  ['127.0.0.1:4001', 'tollgate_session_4001'],
  ['localhost:4101', 'tollgate_session_4101'],
  ['[::1]:4001', 'tollgate_session_4001'],
  ['LOCALHOST', 'tollgate_session_80'],
])('the cookie for the host %s needs no TLS and is named %s', (host, name) => {
  const config = { PUBLIC_URL: 'http://127.0.0.1:4001' }
  expect(sessionCookieHeader(asking(host), config, 'secret', 1_000)).toBe(
    `${name}=secret; Path=/; Max-Age=1; HttpOnly; SameSite=Strict`,
  )
  expect(endedCookieHeader(asking(host), config)).toBe(`${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`)
  expect(sessionCookie(asking(host, `a=b; ${name}=secret`), config)).toBe('secret')
})

test('a cookie without the prefix does not count where Secure is needed', () => {
  const cookie = 'tollgate_session_4001=planted; tollgate_session=planted; X__Host-tollgate_session=planted'
  expect(sessionCookie(asking('console.example', cookie), { PUBLIC_URL: 'https://console.example' })).toBeNull()
})
