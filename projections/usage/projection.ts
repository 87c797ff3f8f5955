import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import type { Projection } from '../projection.ts'
import { bucketOf, callOf, GRANULARITIES, type Granularity, plusCall, type UsageTotals } from './callCounts.ts'

export type UsageRow = UsageTotals & {
  readonly keyId: string
  readonly alias: string
  readonly granularity: Granularity
  /** When the minute, hour or day began, UTC. A call counts in the one in which it finished. */
  readonly bucket: string
  /** The project of the key when its calls were admitted; empty if it was in none. */
  readonly projectId: string
  readonly companyId: string
}

export const usage: Projection<UsageRow, LedgerEvent> = {
  name: 'usage',
  version: 2,
  categories: ['ledger'],
  table: 'usage',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['keyId', 'granularity', 'bucket', 'alias', 'projectId'],
  rowsOf: (event) => {
    const call = callOf(event)
    if (!call) return []
    return GRANULARITIES.map((granularity) => ({
      keyId: call.keyId,
      alias: call.alias,
      granularity,
      bucket: bucketOf(call.finishedAt, granularity),
      projectId: call.projectId,
    }))
  },
  evolve: (row, event, key) => {
    const call = callOf(event)
    if (!call) throw new Error(`${event.type} ${event.id} is not the end of a call and has no usage`)
    const { keyId, alias, projectId, companyId } = call
    const { granularity = 'minute', bucket = '' } = key
    return { keyId, alias, granularity, bucket, projectId, companyId, ...plusCall(row, call) }
  },
}
