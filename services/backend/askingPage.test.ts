import { expect, test } from 'vitest'
import { type AskingPage, askingPage, mayUseCookie } from './askingPage.ts'

type Headers = Readonly<Record<string, string>>
const config = { PUBLIC_URL: 'https://console.example/tollgate' }
const asking = (headers: Headers, method = 'POST') => ({
  method,
  headers: { host: 'backend.internal:4001', ...headers },
})

test.each<[Headers, AskingPage]>([
  [{}, 'unknown'],
  [{ 'sec-fetch-site': 'none' }, 'unknown'],
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://elsewhere.example' }, 'own'],
  [{ 'sec-fetch-site': 'same-site', origin: 'https://console.example' }, 'foreign'],
  [{ 'sec-fetch-site': 'cross-site' }, 'foreign'],
  [{ 'sec-fetch-site': '' }, 'foreign'],
  [{ 'sec-fetch-site': 'same-origin, cross-site' }, 'foreign'],
  [{ origin: 'https://console.example' }, 'own'],
  [{ origin: 'http://console.example' }, 'foreign'],
  [{ origin: 'https://console.example:8443' }, 'foreign'],
  [{ origin: 'https://console.example.elsewhere.example' }, 'foreign'],
  [{ origin: 'https://backend.internal:4001' }, 'own'],
  [{ origin: 'http://backend.internal:4001' }, 'foreign'],
  [{ origin: 'null' }, 'foreign'],
  [{ origin: '' }, 'foreign'],
])('%j is a request of a page that is %s', (headers, page) => {
  expect(askingPage(asking(headers), config)).toBe(page)
})

test('without PUBLIC_URL, the host identifies the page', () => {
  const headers = { host: '127.0.0.1:4001', origin: 'http://127.0.0.1:4001' }
  expect(askingPage({ method: 'POST', headers }, { PUBLIC_URL: undefined })).toBe('own')
  expect(
    askingPage({ method: 'POST', headers: { ...headers, origin: 'http://127.0.0.1:4003' } }, { PUBLIC_URL: undefined }),
  ).toBe('foreign')
})

test.each<[string, Headers, boolean]>([
  ['POST', {}, false],
  ['POST', { 'sec-fetch-site': 'same-origin' }, true],
  ['POST', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, false],
  ['DELETE', { 'sec-fetch-site': 'none' }, false],
  ['GET', {}, true],
  ['GET', { 'sec-fetch-site': 'none' }, true],
  ['GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, true],
  ['GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, false],
  ['GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }, false],
])('the cookie of a %s with %j counts: %s', (method, headers, counts) => {
  expect(mayUseCookie(asking(headers, method), config)).toBe(counts)
})
