import { afterEach, beforeEach, expect, test } from 'vitest'
import { PROVIDER_CALLS_WAITING_MAX, PROVIDER_CONNECTIONS_MAX, ProviderPool } from './providerPool.ts'

let pool: ProviderPool
let begun: string[]
beforeEach(() => {
  pool = new ProviderPool('http://127.0.0.1:1', 1_000)
  begun = []
})
afterEach(() => pool.destroy())

const wait = (company: string, name: string) => pool.wait(company, () => begun.push(name))

/** Takes connections for the companies in turn until none gets any more. */
function takeAll(companies: readonly string[]): void {
  while (companies.map((company) => pool.take(company)).includes(true));
}

test('a company that asks for all connections gets half of them', () => {
  takeAll(['a'])
  expect(pool.take('a')).toBe(false)
  for (let n = 0; n < PROVIDER_CONNECTIONS_MAX / 4; n++) expect(pool.take('b')).toBe(true)
})

test('waiting calls begin as connections become free, each company in its turn', () => {
  takeAll(['a', 'b'])
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) expect(wait(name.charAt(0), name)).not.toBeNull()
  // With what both gave back, each may have one connection again.
  for (let n = 0; n < 5; n++) for (const company of ['a', 'b']) pool.ended(company)
  expect(begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
})

test('of two companies with equal shares, the one that began a call last comes last', () => {
  // So that exactly as much is free as each of the two has.
  for (let n = 0; n < 2; n++) pool.take('c')
  takeAll(['a', 'b'])
  for (const name of ['a1', 'a2', 'b1']) wait(name.charAt(0), name)
  for (let n = 0; n < 2; n++) pool.ended('a')
  expect(begun).toEqual(['a1', 'b1'])
})

test('a company at its share does not keep others waiting', () => {
  takeAll(['a'])
  wait('a', 'a1')
  takeAll(['b', 'c'])
  wait('c', 'c1')
  pool.ended('c')
  expect(begun).toEqual(['c1'])
})

test('a company may have half of the waiting places, and gets one back with each call that leaves', () => {
  takeAll(['a'])
  const leave = Array.from({ length: PROVIDER_CALLS_WAITING_MAX / 2 }, (_, n) => wait('a', `a${n}`))
  expect(wait('a', 'one more')).toBeNull()
  expect(wait('b', 'b1')).not.toBeNull()
  leave[0]?.()
  leave[0]?.()
  expect(wait('a', 'another')).not.toBeNull()
  expect(wait('a', 'one more')).toBeNull()
  pool.ended('a')
  expect(begun).toEqual(['a1'])
})
