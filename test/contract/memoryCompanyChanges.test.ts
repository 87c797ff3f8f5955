import { expect, test } from 'vitest'
import type { Position } from '../../contracts/position.ts'
import { MemoryCompanyChanges } from '../../platform/sharedState/memorySharedState.ts'
import { companyChangesContract } from './companyChanges.ts'

companyChangesContract('changes of companies in memory', async () => {
  // Its engine is the process itself.
  const changes = new MemoryCompanyChanges()
  return { open: async () => changes, close: async () => {} }
})

test('changes in memory forget the company that changed first once there are more than 10,000', async () => {
  const changes = new MemoryCompanyChanges()
  const record = (company: number, position: string) =>
    changes.record(`company ${company}`, 'ledger', position as Position)
  for (let company = 0; company < 10_000; company++) await record(company, '1')
  await record(0, '2')
  await record(10_000, '1')
  expect(await changes.read('company 1')).toEqual({})
  expect(await changes.read('company 0')).toEqual({ ledger: '2' })
  expect(await changes.read('company 10000')).toEqual({ ledger: '1' })
})
