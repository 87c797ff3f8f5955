import { expect, test } from 'vitest'
import { AllowedNetworks } from './allowedNetworks.ts'

const allowed = new AllowedNetworks(['203.0.113.0/24', '198.51.100.7/32', '2001:db8::/32'])

test.each(['203.0.113.0', '203.0.113.255', '198.51.100.7', '2001:db8:1::1', '::ffff:203.0.113.9'])(
  '%s is in a network of the key',
  (address) => expect(allowed.includes(address)).toBe(true),
)

test.each(['203.0.114.0', '198.51.100.8', '2001:db9::1', '::1', '127.0.0.1', '::ffff:203.0.114.9', 'unknown', ''])(
  '%s is in none',
  (address) => expect(allowed.includes(address)).toBe(false),
)

test('a link-local address is matched without its zone', () => {
  expect(new AllowedNetworks(['fe80::/10']).includes('fe80::1%eth0')).toBe(true)
})
