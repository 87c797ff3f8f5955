import { expect, test } from 'vitest'
import { networkFault, networksIn } from './networks.ts'

test('networks are separated by commas, spaces or lines, and none is every network', () => {
  expect(networksIn('10.0.0.0/8, 2001:db8::/32\n192.0.2.1/32')).toEqual(['10.0.0.0/8', '2001:db8::/32', '192.0.2.1/32'])
  expect(networksIn(' , ')).toBeNull()
})

test('a network is an address and the length of its prefix, and the wrong one is named', () => {
  expect(networkFault('203.0.113.0/24 2001:db8::/32 ::/0 0.0.0.0/0')).toBeUndefined()
  for (const wrong of [
    '10.0.0.1',
    '10.0.0.0/33',
    '300.0.0.0/8',
    '2001:db8::/129',
    '1::2::3/64',
    'office/24',
    '10.0.0/8',
  ]) {
    expect(networkFault(`10.0.0.0/8, ${wrong}`)).toContain(`“${wrong}”`)
  }
})
