import type { Recorded } from '../../contracts/envelope.ts'
import { type CallFacts, isOfCall, type LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export const CALL_STATES = ['CHARGED', 'FAILED', 'REVERSED'] as const
export type CallState = (typeof CALL_STATES)[number]

export type CallRow = {
  readonly companyId: string
  readonly finishedAt: string
  readonly callId: string
  readonly keyId: string
  readonly state: CallState
  readonly alias: string
  readonly endpoint: string
  readonly streamed: boolean
  readonly label: string | null
  readonly tokensIn: string
  /** Part of tokens_in; null if the provider does not say. */
  readonly tokensCached: string | null
  readonly tokensOut: string
  /** The final cost of the call: nothing if it failed or was reversed. */
  readonly chargedMicros: string
  /** The caller had left before the answer was complete. */
  readonly abandoned: boolean
  readonly admittedAt: string
  /** Why it failed or was reversed. */
  readonly reason: string | null
  /** Of the event in the company's ledger that ended the call: it has all that the row leaves out, such as the lines of its charge. */
  readonly revision: string
}

/** The reason with which gateways record a failed call whose caller had left. */
const CALLER_LEFT = 'client_left'

/** One row per ended call. */
export const calls: Projection<CallRow, LedgerEvent> = {
  name: 'calls',
  version: 2,
  categories: ['ledger'],
  table: 'calls',
  tableSql: new URL('./table.sql', import.meta.url),
  // Not the call id alone: ids are random, and the rows are read in order of time.
  key: ['companyId', 'finishedAt', 'callId'],
  creates: new Set<LedgerEvent['type']>(['CallCharged', 'CallFailed']),
  rowsOf: (event) => {
    if (!isOfCall(event)) return []
    const { companyId, finishedAt, callId } = event.data
    return [{ companyId, finishedAt, callId }]
  },
  evolve: (row, event) => {
    if (!isOfCall(event)) throw new Error(`${event.type} ${event.id} is not the end of a call`)
    switch (event.type) {
      case 'CallCharged': {
        const { tokensIn, tokensOut, amountMicros, abandoned } = event.data
        const counts = { tokensIn: String(tokensIn), tokensOut: String(tokensOut), chargedMicros: amountMicros }
        return { ...factsOf(event), ...counts, abandoned, state: 'CHARGED', reason: null }
      }
      case 'CallFailed': {
        const { reason } = event.data
        const counts = { tokensIn: '0', tokensOut: '0', chargedMicros: '0' }
        return { ...factsOf(event), ...counts, abandoned: reason === CALLER_LEFT, state: 'FAILED', reason }
      }
      case 'ChargeReversed':
        if (!row) throw new Error(`the charge of call ${event.data.callId} was reversed before it was made`)
        return { ...row, state: 'REVERSED', chargedMicros: '0', reason: event.data.reason }
      default:
        return unexpected(event)
    }
  },
}

function factsOf({ data: call, revision }: Recorded<LedgerEvent> & { readonly data: CallFacts }) {
  const { companyId, finishedAt, callId, keyId, alias, endpoint, streamed, label, admittedAt } = call
  const tokensCached = call.tokensCached === null ? null : String(call.tokensCached)
  const facts = { companyId, finishedAt, callId, keyId, alias, endpoint, streamed, label, tokensCached, admittedAt }
  return { ...facts, revision: String(revision) }
}
