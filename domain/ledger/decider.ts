import { type CallFacts, changesBalance, type LedgerEvent, type PriceApplied } from '../../contracts/events/ledger.ts'
import type { PostpaidTerms } from '../../contracts/events/postpaid.ts'
import { requireAmount } from '../credits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { chargeMicros } from '../pricing/charge.ts'
import { type CorrectedEntry, checkCorrection } from './correction.ts'

export const TOKENS_PER_CALL_MAX = 100_000_000

/** The sums of one company's ledger. Its balance depends on these events only. */
export type LedgerState = {
  readonly grantsMicros: bigint
  readonly chargesMicros: bigint
  readonly reversalsMicros: bigint
  readonly refundsMicros: bigint
  /** Signed. */
  readonly adjustmentsMicros: bigint
  /** For paid usage invoices. */
  readonly settlementsMicros: bigint
}

export function evolve(state: LedgerState, event: LedgerEvent): LedgerState {
  if (!changesBalance(event)) return state
  switch (event.type) {
    case 'CreditsGranted':
      return { ...state, grantsMicros: state.grantsMicros + BigInt(event.data.amountMicros) }
    case 'CallCharged':
      return { ...state, chargesMicros: state.chargesMicros + BigInt(event.data.amountMicros) }
    case 'ChargeReversed':
      return { ...state, reversalsMicros: state.reversalsMicros + BigInt(event.data.amountMicros) }
    case 'CreditsRefunded':
      return { ...state, refundsMicros: state.refundsMicros + BigInt(event.data.amountMicros) }
    case 'CreditsAdjusted':
      return { ...state, adjustmentsMicros: state.adjustmentsMicros + BigInt(event.data.amountMicros) }
    case 'InvoiceSettled':
      return { ...state, settlementsMicros: state.settlementsMicros + BigInt(event.data.amountMicros) }
    default:
      return unexpected(event)
  }
}

export type LedgerCommand =
  | {
      readonly type: 'GrantCredits'
      readonly companyId: string
      readonly grantId: string
      readonly source: 'PACK_PURCHASE' | 'SUBSCRIPTION' | 'ADJUSTMENT'
      readonly amountMicros: bigint
      readonly reason: string
      readonly at: string
    }
  | {
      readonly type: 'ChargeCall'
      readonly call: CallFacts
      readonly tokensIn: number
      readonly tokensOut: number
      readonly price: PriceApplied
    }
  | {
      readonly type: 'FailCall'
      readonly call: CallFacts
      readonly reason: string
      /** For a stream whose caller disconnected; otherwise null. */
      readonly tokensAbandoned: number | null
    }
  | {
      readonly type: 'ReverseCharge'
      readonly charge: Extract<LedgerEvent, { type: 'CallCharged' }>['data']
      readonly reason: string
      readonly at: string
    }
  | {
      readonly type: 'RefundCredits'
      readonly companyId: string
      readonly refundId: string
      readonly amountMicros: bigint
      readonly reason: string
      readonly at: string
    }
  | {
      readonly type: 'AdjustCredits'
      readonly companyId: string
      readonly adjustmentId: string
      /** Signed. */
      readonly amountMicros: bigint
      readonly reason: string
      readonly by: string
      /** The entry that it corrects, as the ledger has it; null if it corrects none. */
      readonly corrects: CorrectedEntry | null
      readonly at: string
    }
  | {
      readonly type: 'CloseMonth'
      readonly companyId: string
      readonly month: string
      readonly terms: PostpaidTerms
      readonly at: string
    }
  | {
      readonly type: 'BillMonth'
      /** Everything but the time, as `billOf` computes it from the range of the month. */
      readonly bill: Omit<Extract<LedgerEvent, { type: 'MonthBilled' }>['data'], 'billedAt'>
      readonly at: string
    }
  | {
      readonly type: 'SettleInvoice'
      readonly companyId: string
      readonly month: string
      readonly invoiceId: string | null
      readonly amountMicros: bigint
      readonly at: string
    }

/**
 * The only decider without state: the ledger grows with every call, so its commands are carried out without reading it.
 * The event id, which is derived from what is booked (`ledgerEventKey`), makes them safe to repeat.
 */
export function decide(command: LedgerCommand): LedgerEvent[] {
  switch (command.type) {
    case 'GrantCredits': {
      const { companyId, grantId, source, reason, at } = command
      const amountMicros = requireAmount(command.amountMicros, 'a grant of credits')
      return [{ type: 'CreditsGranted', data: { companyId, grantId, source, amountMicros, reason, grantedAt: at } }]
    }
    case 'ChargeCall': {
      const { call, tokensIn, tokensOut, price } = command
      const { tokensCached, tokensCacheWrite, costMicros: providerMicros, costCurrency } = call
      requireTokens(tokensIn)
      requireTokens(tokensOut)
      requireTokens(tokensCached ?? 0)
      requireTokens(tokensCacheWrite ?? 0)
      // Cached tokens are part of the input, however the provider's API counts them.
      if ((tokensCached ?? 0) + (tokensCacheWrite ?? 0) > tokensIn) {
        throw new Refusal('INVALID', `a call with ${tokensIn} input tokens cannot have more cached ones`)
      }
      if ((providerMicros === null) !== (costCurrency === null)) {
        throw new Refusal('INVALID', 'the cost of a call must have both an amount and a currency, or neither')
      }
      const amountMicros = chargeMicros(price, { tokensIn, tokensOut, tokensCached, tokensCacheWrite }).toString()
      return [{ type: 'CallCharged', data: { ...call, tokensIn, tokensOut, amountMicros, price } }]
    }
    case 'FailCall': {
      const { call, reason, tokensAbandoned } = command
      return [{ type: 'CallFailed', data: { ...call, reason, tokensAbandoned } }]
    }
    case 'ReverseCharge': {
      const { companyId, callId, keyId, alias, amountMicros, tokensIn, tokensOut, admittedAt, finishedAt } =
        command.charge
      const { label, provider, costMicros, costCurrency, tokensCached, tokensCacheWrite } = command.charge
      const { reason, at } = command
      const call = { companyId, callId, keyId, alias, amountMicros, tokensIn, tokensOut, admittedAt, finishedAt }
      const attribution = { label, provider, costMicros, costCurrency, tokensCached, tokensCacheWrite }
      return [{ type: 'ChargeReversed', data: { ...call, ...attribution, reason, reversedAt: at } }]
    }
    case 'RefundCredits': {
      const { companyId, refundId, reason, at } = command
      const amountMicros = requireAmount(command.amountMicros, 'a refund of credits')
      return [{ type: 'CreditsRefunded', data: { companyId, refundId, amountMicros, reason, refundedAt: at } }]
    }
    case 'AdjustCredits': {
      const { companyId, adjustmentId, reason, by: adjustedBy, corrects, at } = command
      const amountMicros = requireAdjustment(command.amountMicros)
      if (corrects) checkCorrection(corrects, command.amountMicros)
      const correction = { corrects: corrects?.eventId ?? null, correction: corrects ? corrects.corrections + 1 : null }
      const data = { companyId, adjustmentId, amountMicros, reason, adjustedBy, ...correction, adjustedAt: at }
      return [{ type: 'CreditsAdjusted', data }]
    }
    case 'CloseMonth': {
      const { companyId, month, terms, at } = command
      return [{ type: 'MonthClosed', data: { companyId, month, terms, closedAt: at } }]
    }
    case 'BillMonth':
      return [{ type: 'MonthBilled', data: { ...command.bill, billedAt: command.at } }]
    case 'SettleInvoice': {
      const { companyId, month, invoiceId, at } = command
      // Not limited like a grant, because it is the sum of what is already on the ledger.
      const amountMicros = command.amountMicros.toString()
      return [{ type: 'InvoiceSettled', data: { companyId, month, invoiceId, amountMicros, settledAt: at } }]
    }
    default:
      return unexpected(command)
  }
}

/**
 * The key from which the id of a ledger event is derived. A charge and a failure of the same call share it: the store
 * keeps the first of them and treats the other as a repetition, so no call can have both.
 */
export function ledgerEventKey(event: LedgerEvent): string {
  switch (event.type) {
    case 'CreditsGranted':
      return `grant:${event.data.grantId}`
    case 'CallCharged':
    case 'CallFailed':
      return `call:${event.data.callId}`
    case 'ChargeReversed':
      return reversalKey(event.data.callId)
    case 'CreditsRefunded':
      return `refund:${event.data.refundId}`
    case 'CreditsAdjusted': {
      const { adjustmentId, corrects, correction } = event.data
      return corrects === null ? `adjustment:${adjustmentId}` : `correction:${corrects}:${correction}`
    }
    // Each month of a company is closed, billed and settled once.
    case 'MonthClosed':
      return `close:${event.data.companyId}:${event.data.month}`
    case 'MonthBilled':
      return `bill:${event.data.companyId}:${event.data.month}`
    case 'InvoiceSettled':
      return `settlement:${event.data.companyId}:${event.data.month}`
    default:
      return unexpected(event)
  }
}

/** A charge is reversed once. */
export function reversalKey(callId: string): string {
  return `reversal:${callId}`
}

/** The ledger's own time of the event, which a restore preserves. */
export function occurredAt(event: LedgerEvent): string {
  switch (event.type) {
    case 'CreditsGranted':
      return event.data.grantedAt
    case 'CallCharged':
    case 'CallFailed':
      return event.data.finishedAt
    case 'ChargeReversed':
      return event.data.reversedAt
    case 'CreditsRefunded':
      return event.data.refundedAt
    case 'CreditsAdjusted':
      return event.data.adjustedAt
    case 'MonthClosed':
      return event.data.closedAt
    case 'MonthBilled':
      return event.data.billedAt
    case 'InvoiceSettled':
      return event.data.settledAt
    default:
      return unexpected(event)
  }
}

/** Checks the signed amount of an adjustment. */
export function requireAdjustment(micros: bigint): string {
  if (micros === 0n) throw new Refusal('INVALID', 'an adjustment of credits must not be zero')
  requireAmount(micros < 0n ? -micros : micros, 'an adjustment of credits')
  return micros.toString()
}

function requireTokens(count: number): void {
  if (!Number.isSafeInteger(count) || count < 0 || count > TOKENS_PER_CALL_MAX) {
    throw new Refusal('INVALID', `${count} is not a number of tokens that one call can use`)
  }
}

export const ledgerDecider: Decider<LedgerState, LedgerCommand, LedgerEvent> = {
  initialState: () => ({
    grantsMicros: 0n,
    chargesMicros: 0n,
    reversalsMicros: 0n,
    refundsMicros: 0n,
    adjustmentsMicros: 0n,
    settlementsMicros: 0n,
  }),
  evolve,
  decide,
}
