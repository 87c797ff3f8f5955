import { isOfCall, type LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../../domain/decider.ts'
import { deltaMicros } from '../../domain/ledger/balance.ts'
import { plus } from '../plus.ts'

export const GRANULARITIES = ['minute', 'hour', 'day'] as const
export type Granularity = (typeof GRANULARITIES)[number]

export type UsageTotals = {
  /** Calls that reached a provider, including failed ones. */
  readonly requests: string
  readonly failures: string
  readonly tokensIn: string
  readonly tokensOut: string
  readonly chargedMicros: string
}

export type CallCounts = {
  readonly companyId: string
  readonly keyId: string
  readonly alias: string
  readonly label: string | null
  readonly finishedAt: string
  readonly requests: number
  readonly failures: number
  readonly tokensIn: number
  readonly tokensOut: number
  readonly micros: string
}

let lastEvent: LedgerEvent | null = null
let lastCall: CallCounts | null = null

/** The runner needs the counts of each event several times in a row, so the last ones are cached. */
export function callOf(event: LedgerEvent): CallCounts | null {
  if (event !== lastEvent) {
    lastCall = countsOf(event)
    lastEvent = event
  }
  return lastCall
}

function countsOf(event: LedgerEvent): CallCounts | null {
  if (!isOfCall(event)) return null
  switch (event.type) {
    case 'CallCharged': {
      const { companyId, keyId, alias, label, finishedAt, tokensIn, tokensOut } = event.data
      const call = { companyId, keyId, alias, label, finishedAt }
      return { ...call, requests: 1, failures: 0, tokensIn, tokensOut, micros: chargedMicros(event) }
    }
    case 'CallFailed': {
      const { companyId, keyId, alias, label, finishedAt } = event.data
      const call = { companyId, keyId, alias, label, finishedAt }
      return { ...call, requests: 1, failures: 1, tokensIn: 0, tokensOut: 0, micros: '0' }
    }
    case 'ChargeReversed': {
      const { companyId, keyId, alias, label, finishedAt, tokensIn, tokensOut } = event.data
      const call = { companyId, keyId, alias, label, finishedAt }
      // The call was counted when it was charged, but its caller saw it fail.
      return {
        ...call,
        requests: 0,
        failures: 1,
        tokensIn: -tokensIn,
        tokensOut: -tokensOut,
        micros: chargedMicros(event),
      }
    }
    default:
      return unexpected(event)
  }
}

function chargedMicros(event: LedgerEvent): string {
  return (-deltaMicros(event)).toString()
}

/** The totals of a row after a call. */
export function plusCall(row: UsageTotals | undefined, call: CallCounts): UsageTotals {
  return {
    requests: plus(row?.requests, call.requests),
    failures: plus(row?.failures, call.failures),
    tokensIn: plus(row?.tokensIn, call.tokensIn),
    tokensOut: plus(row?.tokensOut, call.tokensOut),
    chargedMicros: plus(row?.chargedMicros, call.micros),
  }
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
