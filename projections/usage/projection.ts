import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../../domain/decider.ts'
import { deltaMicros } from '../../domain/ledger/balance.ts'
import { plus } from '../plus.ts'
import type { Projection } from '../projection.ts'

export const GRANULARITIES = ['minute', 'hour', 'day'] as const
export type Granularity = (typeof GRANULARITIES)[number]

export type UsageRow = {
  readonly key_id: string
  readonly alias: string
  readonly granularity: Granularity
  /** When the minute, hour or day began, UTC. A call counts in the one in which it finished. */
  readonly bucket: string
  readonly company_id: string
  /** Calls that reached a provider, including failed ones. */
  readonly requests: string
  readonly failures: string
  readonly tokens_in: string
  readonly tokens_out: string
  readonly charged_micros: string
}

export const usage: Projection<UsageRow, LedgerEvent> = {
  name: 'usage',
  version: 1,
  categories: ['ledger'],
  table: 'usage',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['key_id', 'granularity', 'bucket', 'alias'],
  rowsOf: (event) => {
    const call = callOf(event)
    if (!call) return []
    return GRANULARITIES.map((granularity) => ({
      key_id: call.keyId,
      alias: call.alias,
      granularity,
      bucket: bucketOf(call.finishedAt, granularity),
    }))
  },
  evolve: (row, event, key) => {
    const call = callOf(event)
    if (!call) throw new Error(`${event.type} ${event.id} is not the end of a call and has no usage`)
    return {
      key_id: call.keyId,
      alias: call.alias,
      granularity: key.granularity ?? 'minute',
      bucket: key.bucket ?? '',
      company_id: call.companyId,
      requests: plus(row?.requests, call.requests),
      failures: plus(row?.failures, call.failures),
      tokens_in: plus(row?.tokens_in, call.tokensIn),
      tokens_out: plus(row?.tokens_out, call.tokensOut),
      charged_micros: plus(row?.charged_micros, call.micros),
    }
  },
}

type CallCounts = {
  readonly companyId: string
  readonly keyId: string
  readonly alias: string
  readonly finishedAt: string
  readonly requests: number
  readonly failures: number
  readonly tokensIn: number
  readonly tokensOut: number
  readonly micros: string
}

let lastEvent: LedgerEvent | null = null
let lastCall: CallCounts | null = null

/** The runner needs the counts of each event four times in a row, so the last ones are kept. */
function callOf(event: LedgerEvent): CallCounts | null {
  if (event !== lastEvent) {
    lastCall = countsOf(event)
    lastEvent = event
  }
  return lastCall
}

function countsOf(event: LedgerEvent): CallCounts | null {
  switch (event.type) {
    case 'CallCharged': {
      const { companyId, keyId, alias, finishedAt, tokensIn, tokensOut } = event.data
      const call = { companyId, keyId, alias, finishedAt }
      return { ...call, requests: 1, failures: 0, tokensIn, tokensOut, micros: chargedMicros(event) }
    }
    case 'CallFailed': {
      const { companyId, keyId, alias, finishedAt } = event.data
      const call = { companyId, keyId, alias, finishedAt }
      return { ...call, requests: 1, failures: 1, tokensIn: 0, tokensOut: 0, micros: '0' }
    }
    case 'ChargeReversed': {
      const { companyId, keyId, alias, finishedAt, tokensIn, tokensOut } = event.data
      const call = { companyId, keyId, alias, finishedAt }
      // The call was counted when it was charged; its caller saw it fail.
      return {
        ...call,
        requests: 0,
        failures: 1,
        tokensIn: -tokensIn,
        tokensOut: -tokensOut,
        micros: chargedMicros(event),
      }
    }
    case 'CreditsGranted':
    case 'CreditsRefunded':
      return null
    default:
      return unexpected(event)
  }
}

function chargedMicros(event: LedgerEvent): string {
  return (-deltaMicros(event)).toString()
}

/** Cuts the ISO text instead of parsing it, because this runs three times for every call. */
export function bucketOf(time: string, granularity: Granularity): string {
  switch (granularity) {
    case 'minute':
      return `${time.slice(0, 16)}:00.000Z`
    case 'hour':
      return `${time.slice(0, 13)}:00:00.000Z`
    case 'day':
      return `${time.slice(0, 10)}T00:00:00.000Z`
    default:
      return unexpected(granularity)
  }
}
