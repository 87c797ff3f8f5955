import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Position } from '../../contracts/position.ts'
import type { CompanyChanges } from '../../platform/sharedState/companyChanges/port.ts'

export type CompanyChangesHarness = {
  /** That of one process; every call opens that of another. */
  open(): Promise<CompanyChanges>
  close(): Promise<void>
}

const at = (number: number) => String(number).padStart(16, '0') as Position

/** What every adapter of `CompanyChanges` guarantees. */
export function companyChangesContract(name: string, start: () => Promise<CompanyChangesHarness>): void {
  describe(name, () => {
    let harness: CompanyChangesHarness
    let backend: CompanyChanges
    let gateway: CompanyChanges
    let companyId: string

    beforeAll(async () => {
      harness = await start()
      backend = await harness.open()
      gateway = await harness.open()
    })
    afterAll(() => harness.close())
    beforeEach(() => {
      companyId = randomUUID()
    })

    test('have nothing of a company that was never changed', async () => {
      expect(await gateway.read(companyId)).toEqual({})
    })

    test('recorded by one process are read by another, by category', async () => {
      await backend.record(companyId, 'ledger', at(7))
      await backend.record(companyId, 'company', at(5))
      await backend.record(randomUUID(), 'apiKey', at(9))
      expect(await gateway.read(companyId)).toEqual({ ledger: at(7), company: at(5) })
    })

    test('keep the newest position, in whichever order they are recorded', async () => {
      for (const number of [99, 100, 98]) await backend.record(companyId, 'apiKey', at(number))
      expect(await gateway.read(companyId)).toEqual({ apiKey: at(100) })
    })
  })
}
