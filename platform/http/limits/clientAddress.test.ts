import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress, networkOf } from './clientAddress.ts'

const PEER = '192.0.2.1'
const seen = (forwarded: string | undefined, trustedProxies: number) =>
  clientAddress(
    { socket: { remoteAddress: PEER }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage,
    trustedProxies,
  )

test.each([
  ['no proxy: the header proves nothing', '203.0.113.9', 0, PEER],
  ['one proxy: what it saw stands last', '198.51.100.7, 203.0.113.9', 1, '203.0.113.9'],
  ['two proxies: what the outer one saw', '198.51.100.7, 203.0.113.9, 10.0.0.1', 2, '203.0.113.9'],
  ['spaces or none', '198.51.100.7,203.0.113.9 ,  10.0.0.1', 2, '203.0.113.9'],
  ['IPv6', '2001:db8::1', 1, '2001:db8::1'],
  ['a port', '198.51.100.7:1, 203.0.113.9:40001', 1, '203.0.113.9'],
  ['a port of IPv6', '[2001:db8::1]:40001', 1, '2001:db8::1'],
  ['brackets', '[2001:db8::1]', 1, '2001:db8::1'],
  ['a name', '_hidden', 1, '_hidden'],
  ['fewer entries than proxies', '203.0.113.9', 2, PEER],
  ['an empty entry', '203.0.113.9, ', 1, PEER],
  ['no header', undefined, 1, PEER],
])('%s', (_, forwarded, trustedProxies, expected) => {
  expect(seen(forwarded, trustedProxies)).toBe(expected)
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001:db8:1::2:3:4:5', '2001:db8:1:0'],
  ['::1', '0:0:0:0'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['0:0:0:0:0:ffff:cb00:7109', '203.0.113.9'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
