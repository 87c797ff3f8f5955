import type { CallFacts, LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export const CALL_STATES = ['CHARGED', 'FAILED', 'REVERSED'] as const
export type CallState = (typeof CALL_STATES)[number]

export type CallRow = {
  readonly company_id: string
  readonly finished_at: string
  readonly call_id: string
  readonly key_id: string
  readonly state: CallState
  readonly alias: string
  readonly endpoint: string
  readonly streamed: boolean
  readonly label: string | null
  readonly tokens_in: string
  /** Part of tokens_in; null if the provider does not say. */
  readonly tokens_cached: string | null
  readonly tokens_out: string
  /** What the call costs in the end: nothing if it failed or was reversed. */
  readonly charged_micros: string
  readonly admitted_at: string
  /** Why it failed or was reversed. */
  readonly reason: string | null
}

/** One row for each call that ended. */
export const calls: Projection<CallRow, LedgerEvent> = {
  name: 'calls',
  version: 1,
  categories: ['ledger'],
  table: 'calls',
  tableSql: new URL('./table.sql', import.meta.url),
  // Not the call id alone: ids are random, and the rows are read in the order of time.
  key: ['company_id', 'finished_at', 'call_id'],
  creates: new Set<LedgerEvent['type']>(['CallCharged', 'CallFailed']),
  rowsOf: (event) => {
    if (!('callId' in event.data)) return []
    const { companyId, finishedAt, callId } = event.data
    return [{ company_id: companyId, finished_at: finishedAt, call_id: callId }]
  },
  evolve: (row, event) => {
    switch (event.type) {
      case 'CallCharged': {
        const { tokensIn, tokensOut, amountMicros } = event.data
        const counts = { tokens_in: String(tokensIn), tokens_out: String(tokensOut), charged_micros: amountMicros }
        return { ...factsOf(event.data), ...counts, state: 'CHARGED', reason: null }
      }
      case 'CallFailed': {
        const counts = { tokens_in: '0', tokens_out: '0', charged_micros: '0' }
        return { ...factsOf(event.data), ...counts, state: 'FAILED', reason: event.data.reason }
      }
      case 'ChargeReversed':
        if (!row) throw new Error(`the charge of call ${event.data.callId} was reversed before it was made`)
        return { ...row, state: 'REVERSED', charged_micros: '0', reason: event.data.reason }
      case 'CreditsGranted':
      case 'CreditsRefunded':
      case 'CreditsAdjusted':
      case 'MonthClosed':
      case 'MonthBilled':
      case 'InvoiceSettled':
        throw new Error(`${event.type} ${event.id} is not the end of a call`)
      default:
        return unexpected(event)
    }
  },
}

function factsOf(call: CallFacts) {
  return {
    company_id: call.companyId,
    finished_at: call.finishedAt,
    call_id: call.callId,
    key_id: call.keyId,
    alias: call.alias,
    endpoint: call.endpoint,
    streamed: call.streamed,
    label: call.label,
    tokens_cached: call.tokensCached === null ? null : String(call.tokensCached),
    admitted_at: call.admittedAt,
  }
}
