import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import type { Projection } from '../projection.ts'
import { bucketOf, callOf, GRANULARITIES, type Granularity, plusCall, type UsageTotals } from './callCounts.ts'

export type UsageRow = UsageTotals & {
  readonly keyId: string
  readonly alias: string
  readonly granularity: Granularity
  /** When the minute, hour or day began, UTC. A call counts in the one in which it finished. */
  readonly bucket: string
  readonly companyId: string
}

export const usage: Projection<UsageRow, LedgerEvent> = {
  name: 'usage',
  version: 1,
  categories: ['ledger'],
  table: 'usage',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['keyId', 'granularity', 'bucket', 'alias'],
  rowsOf: (event) => {
    const call = callOf(event)
    if (!call) return []
    return GRANULARITIES.map((granularity) => ({
      keyId: call.keyId,
      alias: call.alias,
      granularity,
      bucket: bucketOf(call.finishedAt, granularity),
    }))
  },
  evolve: (row, event, key) => {
    const call = callOf(event)
    if (!call) throw new Error(`${event.type} ${event.id} is not the end of a call and has no usage`)
    const { keyId, alias, companyId } = call
    const { granularity = 'minute', bucket = '' } = key
    return { keyId, alias, granularity, bucket, companyId, ...plusCall(row, call) }
  },
}
