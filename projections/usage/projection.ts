import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../../domain/decider.ts'
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
  /** Calls that reached a provider, failed ones among them. */
  readonly requests: string
  readonly failures: string
  readonly tokens_in: string
  readonly tokens_out: string
  readonly charged_micros: string
}

export const usage: Projection<UsageRow> = {
  name: 'usage',
  version: 1,
  categories: ['ledger'],
  table: 'usage',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['key_id', 'granularity', 'bucket', 'alias'],
  rowsOf: (recorded) => {
    const call = callOf(recorded)
    if (!call) return []
    return GRANULARITIES.map((granularity) => ({
      key_id: call.keyId,
      alias: call.alias,
      granularity,
      bucket: bucketOf(call.finishedAt, granularity),
    }))
  },
  evolve: (row, recorded, key) => {
    const call = callOf(recorded)
    if (!call) throw new Error(`${recorded.type} is no call`)
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

let lastEvent: RecordedEvent | null = null
let lastCall: CallCounts | null = null

/** Asked for four times in a row of each event, so the last answer is kept. */
function callOf(recorded: RecordedEvent): CallCounts | null {
  if (recorded !== lastEvent) {
    lastCall = countsOf(recorded)
    lastEvent = recorded
  }
  return lastCall
}

function countsOf(recorded: RecordedEvent): CallCounts | null {
  const event = recorded as unknown as LedgerEvent
  switch (event.type) {
    case 'CallCharged': {
      const { companyId, keyId, alias, finishedAt, tokensIn, tokensOut, amountMicros } = event.data
      const call = { companyId, keyId, alias, finishedAt }
      return { ...call, requests: 1, failures: 0, tokensIn, tokensOut, micros: amountMicros }
    }
    case 'CallFailed': {
      const { companyId, keyId, alias, finishedAt } = event.data
      const call = { companyId, keyId, alias, finishedAt }
      return { ...call, requests: 1, failures: 1, tokensIn: 0, tokensOut: 0, micros: '0' }
    }
    case 'ChargeReversed': {
      const { companyId, keyId, alias, finishedAt, tokensIn, tokensOut, amountMicros } = event.data
      const call = { companyId, keyId, alias, finishedAt }
      // The call was counted when it was charged; its caller saw it fail.
      return {
        ...call,
        requests: 0,
        failures: 1,
        tokensIn: -tokensIn,
        tokensOut: -tokensOut,
        micros: (-BigInt(amountMicros)).toString(),
      }
    }
    case 'CreditsGranted':
    case 'CreditsRefunded':
      return null
    default:
      return unexpected(event)
  }
}

/** ISO times of fixed form are cut, not parsed: this runs three times for every call. */
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

/** Counts and tokens nearly always fit a double exactly, which is several times quicker: this runs for every call, too. */
function plus(before: string | undefined, more: number | string): string {
  const from = Number(before ?? 0)
  const step = Number(more)
  const sum = from + step
  if (Number.isSafeInteger(from) && Number.isSafeInteger(step) && Number.isSafeInteger(sum)) return String(sum)
  return (BigInt(before ?? 0) + BigInt(more)).toString()
}
