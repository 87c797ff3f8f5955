import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { Journal } from './journal.ts'
import { ProviderState } from './providerState.ts'
import type { Delivery, Product, Refund } from './records.ts'

let file: string
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-state-'))
  file = join(folder, 'journal.jsonl')
  return () => rmSync(folder, { recursive: true, force: true })
})

const open = () => new ProviderState(new Journal(file, 2_000), 3)
const product = (id: string): Product => ({ id, object: 'product', created: 0, name: id, active: true, metadata: {} })
const refund = (id: string) => ({ id, object: 'refund', created: 0 }) as Refund
const delivery = (id: string, status: Delivery['status']): Delivery => ({
  id,
  status,
  attempts: 0,
  nextAttemptMs: 0,
  outcome: null,
})
const ids = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id)

describe('at the limit of records', () => {
  test('a new product is refused, and the transaction is rolled back', () => {
    const state = open()
    for (const id of ['a', 'b', 'c']) state.transact(() => state.put('product', product(id)))
    expect(() =>
      state.transact(() => {
        state.put('refund', refund('r'))
        state.put('product', product('d'))
      }),
    ).toThrow(/at most 3 records of each kind/)
    expect(state.all('refund')).toEqual([])
    state.transact(() => state.put('product', { ...product('b'), name: 'changed' }))
    expect(
      open()
        .all('product')
        .map(({ name }) => name),
    ).toEqual(['a', 'changed', 'c'])
  })

  test('the oldest refund is evicted, also after a restart', () => {
    const state = open()
    for (const id of ['a', 'b', 'c', 'd', 'e']) state.transact(() => state.put('refund', refund(id)))
    expect(ids(state.all('refund'))).toEqual(['c', 'd', 'e'])
    expect(ids(open().all('refund'))).toEqual(['c', 'd', 'e'])
  })

  test('a pending delivery is never evicted', () => {
    const state = open()
    state.transact(() => state.put('delivery', delivery('a', 'pending')))
    for (const id of ['b', 'c', 'd']) state.transact(() => state.put('delivery', delivery(id, 'delivered')))
    expect(ids(state.all('delivery'))).toEqual(['a', 'c', 'd'])
  })
})

test('the journal stays short, however often a record is replaced', () => {
  const state = open()
  for (let n = 0; n < 500; n++) state.transact(() => state.put('product', { ...product('a'), name: `name ${n}` }))
  expect(readFileSync(file).length).toBeLessThan(3_000)
  expect(open().get('product', 'a')?.name).toBe('name 499')
})

test('a change outside of a transaction and a nested transaction throw', () => {
  const state = open()
  expect(() => state.put('product', product('a'))).toThrow(/only be changed within a transaction/)
  expect(() => state.transact(() => state.transact(() => {}))).toThrow(/cannot be nested/)
})
