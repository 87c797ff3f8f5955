import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import type { Projection } from '../projection.ts'
import { bucketOf, callOf, GRANULARITIES, type Granularity, plusCall, type UsageTotals } from '../usage/callCounts.ts'

export type CompanyUsageRow = UsageTotals & {
  readonly companyId: string
  readonly granularity: Granularity
  /** When the minute, hour or day began, UTC. A call counts in the one in which it finished. */
  readonly bucket: string
  readonly alias: string
}

/** The usage of all keys of a company together, so that a month by day costs the same with many keys. */
export const usageByCompany: Projection<CompanyUsageRow, LedgerEvent> = {
  name: 'usage-by-company',
  version: 1,
  categories: ['ledger'],
  table: 'usage_by_company',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['companyId', 'granularity', 'bucket', 'alias'],
  rowsOf: (event) => {
    const call = callOf(event)
    if (!call) return []
    return GRANULARITIES.map((granularity) => ({
      companyId: call.companyId,
      granularity,
      bucket: bucketOf(call.finishedAt, granularity),
      alias: call.alias,
    }))
  },
  evolve: (row, event, key) => {
    const call = callOf(event)
    if (!call) throw new Error(`${event.type} ${event.id} is not the end of a call and has no usage`)
    const { granularity = 'day', bucket = '' } = key
    return { companyId: call.companyId, granularity, bucket, alias: call.alias, ...plusCall(row, call) }
  },
}
