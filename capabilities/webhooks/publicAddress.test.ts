import { describe, expect, test } from 'vitest'
import { isAllowedAddress } from './publicAddress.ts'

const PUBLIC = ['8.8.8.8', '93.184.216.34', '172.32.0.1', '2606:2800:220:1::1', '2a00:1450:4001:80e::200e']
const PRIVATE = ['127.0.0.1', '127.9.9.9', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1']
const PRIVATE_V6 = ['::1', 'fc00::1', 'fd12:3456::1']
const NEVER = [
  ...['0.0.0.0', '0.1.2.3', '169.254.169.254', '169.254.0.1', '224.0.0.1', '239.1.1.1', '255.255.255.255'],
  ...['240.0.0.1', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.88.99.1'],
  ...['::', 'fe80::1', 'fec0::1', 'ff02::1', '100::1', '2001:db8::1', '2001::1', '2002:7f00:1::'],
  // IPv4 addresses written as IPv6: mapped, compatible, translated (NAT64), local NAT64.
  ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1'],
  // Metadata and other services of clouds.
  ...['168.63.129.16', '100.100.100.200', '192.0.0.192', '161.26.0.10', 'fd00:ec2::254', 'fd00:ec2::23'],
  ...['fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fd00:42::42', '::ffff:168.63.129.16'],
  ...['4000::1', '', 'localhost', '1.2.3.4.5', '8.8.8.8/0', '127.1\n'],
]

describe('messages may be sent to', () => {
  test.each(PUBLIC)('the public address %s', (address) => {
    expect(isAllowedAddress(address, false)).toBe(true)
    expect(isAllowedAddress(address, true)).toBe(true)
  })

  test.each([...PRIVATE, ...PRIVATE_V6])('the private address %s only if that is allowed', (address) => {
    expect(isAllowedAddress(address, false)).toBe(false)
    expect(isAllowedAddress(address, true)).toBe(true)
  })
})

test.each(NEVER)('messages are never sent to %j', (address) => {
  expect(isAllowedAddress(address, false)).toBe(false)
  expect(isAllowedAddress(address, true)).toBe(false)
})
