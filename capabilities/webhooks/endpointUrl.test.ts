import { describe, expect, test } from 'vitest'
import { requireEndpointUrl, webhookRules } from './endpointUrl.ts'

const PUBLIC_ONLY = webhookRules({ sandbox: false, WEBHOOK_ALLOW_PRIVATE: '0' })
const PRIVATE = webhookRules({ sandbox: false, WEBHOOK_ALLOW_PRIVATE: '1' })
const SANDBOX = webhookRules({ sandbox: true, WEBHOOK_ALLOW_PRIVATE: '0' })

describe('the url of a webhook endpoint', () => {
  test.each([
    ['https://hooks.example', 'https://hooks.example/'],
    ['https://hooks.example:8443/a?b=c', 'https://hooks.example:8443/a?b=c'],
    ['https://93.184.216.34/', 'https://93.184.216.34/'],
  ])('%s is taken', (url, taken) => {
    expect(requireEndpointUrl(url, PUBLIC_ONLY)).toBe(taken)
  })

  test.each([
    ['hooks.example', /not a URL/],
    ['ftp://hooks.example', /must begin with https/],
    ['http://hooks.example', /must begin with https/],
    ['javascript:alert(1)', /must begin with https/],
    ['https://ada:secret@hooks.example', /user or a password/],
    ['https://ada@hooks.example', /user or a password/],
    ['https://hooks.example/#part', /fragment/],
    ['https://127.0.0.1/', /not a public one/],
    // Other ways to write 127.0.0.1, 10.0.0.1 and 169.254.169.254.
    ['https://0x7f.1/', /127.0.0.1 of the url is not a public one/],
    ['https://2130706433/', /not a public one/],
    ['https://[::ffff:10.0.0.1]/', /not a public one/],
    ['https://169.254.169.254/latest/meta-data', /not a public one/],
    ['https://[::1]:8080/', /not a public one/],
  ])('%s is refused', (url, message) => {
    expect(() => requireEndpointUrl(url, PUBLIC_ONLY)).toThrow(message)
  })

  test('may name a private address if the installation allows it, and use http only in a sandbox', () => {
    expect(requireEndpointUrl('https://10.0.0.1/', PRIVATE)).toBe('https://10.0.0.1/')
    expect(() => requireEndpointUrl('http://10.0.0.1/', PRIVATE)).toThrow(/must begin with https/)
    expect(requireEndpointUrl('http://127.0.0.1:4100/', SANDBOX)).toBe('http://127.0.0.1:4100/')
    expect(() => requireEndpointUrl('http://169.254.169.254/', SANDBOX)).toThrow(/not a public one/)
  })
})
