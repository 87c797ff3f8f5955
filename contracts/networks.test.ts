import { BlockList, isIPv4 } from 'node:net'
import { expect, test } from 'vitest'
import { isNetwork, KEY_NETWORKS_MAX, networks } from './networks.ts'

test.each(['203.0.113.0/24', '203.0.113.7/32', '0.0.0.0/0', '2001:db8::/32', '::/0', '::1/128', '::ffff:10.0.0.0/104'])(
  '%s is a network, which Node can match',
  (text) => {
    expect(isNetwork(text)).toBe(true)
    const [address = '', prefix = ''] = text.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    const list = new BlockList()
    list.addSubnet(address, Number(prefix), family)
    expect(list.check(address, family)).toBe(true)
  },
)

test.each([
  ['', 'empty'],
  ['203.0.113.7', 'without a prefix'],
  ['203.0.113.0/33', 'with a prefix that is too long'],
  ['2001:db8::/129', 'with a prefix that is too long'],
  ['203.0.113.0/-1', 'with a negative prefix'],
  ['203.0.113.0/ 24', 'with a blank'],
  ['203.0.113/24', 'of three parts'],
  ['fe80::1%eth0/64', 'with a zone'],
  ['example.com/24', 'of a host'],
])('"%s", a text %s, is not a network', (text) => {
  expect(isNetwork(text)).toBe(false)
})

test('a list has 1 to 50 networks, and null means all of them', () => {
  const of = (count: number) => Array.from({ length: count }, (_, n) => `10.0.${n}.0/24`)
  expect(networks.safeParse(null).success).toBe(true)
  expect(networks.safeParse(of(1)).success).toBe(true)
  expect(networks.safeParse(of(KEY_NETWORKS_MAX)).success).toBe(true)
  expect(networks.safeParse(of(0)).success).toBe(false)
  expect(networks.safeParse(of(KEY_NETWORKS_MAX + 1)).success).toBe(false)
})
