import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import type { Projection } from '../projection.ts'
import { bucketOf, callOf, GRANULARITIES, type Granularity, plusCall, type UsageTotals } from '../usage/callCounts.ts'

export type LabelUsageRow = UsageTotals & {
  readonly companyId: string
  readonly granularity: Granularity
  /** When the minute, hour or day began, UTC. A call counts in the one in which it finished. */
  readonly bucket: string
  readonly label: string
  readonly keyId: string
  readonly alias: string
}

/** The usage of calls with a label. Calls without one are the rest of `usage`, and cost nothing here. */
export const usageByLabel: Projection<LabelUsageRow, LedgerEvent> = {
  name: 'usage-by-label',
  version: 1,
  categories: ['ledger'],
  table: 'usage_by_label',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['companyId', 'granularity', 'bucket', 'label', 'keyId', 'alias'],
  rowsOf: (event) => {
    const call = callOf(event)
    if (!call || call.label === null) return []
    const { companyId, label, keyId, alias, finishedAt } = call
    return GRANULARITIES.map((granularity) => ({
      ...{ companyId, granularity, bucket: bucketOf(finishedAt, granularity) },
      ...{ label, keyId, alias },
    }))
  },
  evolve: (row, event, key) => {
    const call = callOf(event)
    if (!call || call.label === null) throw new Error(`${event.type} ${event.id} is not the end of a call with a label`)
    const { companyId, label, keyId, alias } = call
    return {
      ...{ companyId, granularity: key.granularity ?? 'minute', bucket: key.bucket ?? '' },
      ...{ label, keyId, alias },
      ...plusCall(row, call),
    }
  },
}
