import { expect, test } from 'vitest'
import { readConfig } from '../../../platform/config/config.ts'
import { callersAddress } from './settings.ts'

const addressWith = (env: Record<string, string>) => callersAddress(readConfig(env))

test('callers of a sandbox installation reach the gateway on its port', () => {
  expect(addressWith({ GATEWAY_PORT: '5000' })).toBe('http://127.0.0.1:5000')
  expect(addressWith({ HOST: '::1' })).toBe('http://[::1]:4000')
  expect(addressWith({ HOST: '0.0.0.0', SANDBOX: '1' })).toBe('http://127.0.0.1:4000')
})

test('elsewhere they reach it at GATEWAY_PUBLIC_URL; if that is not set, the address is unknown', () => {
  expect(addressWith({ SANDBOX: '0' })).toBeNull()
  expect(addressWith({ SANDBOX: '0', GATEWAY_PUBLIC_URL: 'https://llm.example' })).toBe('https://llm.example')
})

test.each(['https://llm.example/models/', 'https://llm.example/models/llm/v1', 'https://llm.example/models/llm/v1/'])(
  '%s is shown without a slash at its end and without the path of the API',
  (given) => {
    expect(addressWith({ GATEWAY_PUBLIC_URL: given })).toBe('https://llm.example/models')
  },
)
