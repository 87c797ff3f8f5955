import {
  type CallFacts,
  COMMON_LEDGER_ID,
  changesBalance,
  type GrantSource,
  type LedgerEvent,
} from '../../contracts/events/ledger.ts'
import { type LotTerms, WITHOUT_EXPIRY } from '../../contracts/events/lotTerms.ts'
import type { PostpaidTerms } from '../../contracts/events/postpaid.ts'
import type { PriceApplied, PricingEvent } from '../../contracts/events/pricing.ts'
import { requireAmount } from '../credits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { type Charge, chargeOf, chargeWithin } from '../pricing/charge.ts'
import { boundedUsage, cachedTokens, type Usage } from '../pricing/usage.ts'
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
  readonly expiriesMicros: bigint
  /** For disputed payments. */
  readonly withdrawalsMicros: bigint
  readonly reinstatementsMicros: bigint
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
    case 'CreditsExpired':
      return { ...state, expiriesMicros: state.expiriesMicros + BigInt(event.data.amountMicros) }
    case 'CreditsWithdrawn':
      return { ...state, withdrawalsMicros: state.withdrawalsMicros + BigInt(event.data.amountMicros) }
    case 'CreditsReinstated':
      return { ...state, reinstatementsMicros: state.reinstatementsMicros + BigInt(event.data.amountMicros) }
    default:
      return unexpected(event)
  }
}

export type LedgerCommand =
  | {
      readonly type: 'GrantCredits'
      readonly companyId: string
      readonly grantId: string
      readonly source: GrantSource
      readonly amountMicros: bigint
      readonly reason: string
      /** Without terms, the credits do not expire. */
      readonly lot?: LotTerms
      readonly at: string
    }
  | {
      readonly type: 'ChargeCall'
      readonly call: Omit<CallFacts, 'tokensCached' | 'tokensCacheWrite'>
      readonly usage: Usage
      readonly price: PriceApplied
      /** The service tier that the caller asked for; null if none. */
      readonly requestedTier: string | null
      /** The most that may be charged, such as the hold of the call; null without a limit. */
      readonly mostMicros: bigint | null
      /** The caller had left before the answer was complete. */
      readonly abandoned: boolean
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
      readonly grantId: string
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
      readonly type: 'ExpireCredits'
      readonly companyId: string
      readonly grantId: string
      readonly amountMicros: bigint
      readonly expiredBeforeMicros: bigint
      readonly at: string
    }
  | {
      readonly type: 'WithdrawCredits'
      readonly companyId: string
      readonly grantId: string
      readonly disputeId: string
      readonly withdrawal: number
      readonly amountMicros: bigint
      readonly at: string
    }
  | {
      readonly type: 'ReinstateCredits'
      readonly companyId: string
      readonly grantId: string
      readonly disputeId: string | null
      readonly amountMicros: bigint
      readonly reinstatedBeforeMicros: bigint
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
  | {
      readonly type: 'AnchorPriceBook'
      /** As it is read from its stream, with the time when it takes effect. */
      readonly book: Extract<PricingEvent, { type: 'PriceBookPublished' }>['data']
      readonly at: string
    }

/**
 * The only decider without state: the ledger grows with every call, so its commands are carried out without reading it.
 * The event id, which is derived from what is booked (`ledgerEventKey`), makes them safe to repeat.
 */
export function decide(command: LedgerCommand): LedgerEvent[] {
  switch (command.type) {
    case 'GrantCredits': {
      const { companyId, grantId, source, reason, lot = WITHOUT_EXPIRY, at } = command
      const amountMicros = requireAmount(command.amountMicros, 'a grant of credits')
      if (lot.expiresAt !== null && lot.expiresAt <= at)
        throw new Refusal('INVALID', 'credits cannot expire before they are granted')
      return [
        { type: 'CreditsGranted', data: { companyId, grantId, source, amountMicros, reason, lot, grantedAt: at } },
      ]
    }
    case 'ChargeCall': {
      const { call, usage, price, abandoned } = command
      const { costMicros: providerMicros, costCurrency } = call
      requireUsage(usage)
      if ((providerMicros === null) !== (costCurrency === null)) {
        throw new Refusal('INVALID', 'the cost of a call must have both an amount and a currency, or neither')
      }
      const { tokensIn, tokensOut, serviceTier } = usage
      const facts = { ...call, ...cachedTokens(usage), tokensIn, tokensOut, price, serviceTier, abandoned }
      return [{ type: 'CallCharged', data: { ...facts, ...recordedAmounts(chargeOfCommand(command)) } }]
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
      const { companyId, refundId, grantId, reason, at } = command
      const amountMicros = requireAmount(command.amountMicros, 'a refund of credits')
      return [{ type: 'CreditsRefunded', data: { companyId, refundId, grantId, amountMicros, reason, refundedAt: at } }]
    }
    case 'AdjustCredits': {
      const { companyId, adjustmentId, reason, by: adjustedBy, corrects, at } = command
      const amountMicros = requireAdjustment(command.amountMicros)
      if (corrects) checkCorrection(corrects, command.amountMicros)
      const correction = { corrects: corrects?.eventId ?? null, correction: corrects ? corrects.corrections + 1 : null }
      const data = { companyId, adjustmentId, amountMicros, reason, adjustedBy, ...correction, adjustedAt: at }
      return [{ type: 'CreditsAdjusted', data }]
    }
    case 'ExpireCredits': {
      const { companyId, grantId, at: expiredAt } = command
      const amountMicros = requireAmount(command.amountMicros, 'an expiry of credits')
      const expiredBeforeMicros = command.expiredBeforeMicros.toString()
      return [{ type: 'CreditsExpired', data: { companyId, grantId, amountMicros, expiredBeforeMicros, expiredAt } }]
    }
    case 'WithdrawCredits': {
      const { companyId, grantId, disputeId, withdrawal, at: withdrawnAt } = command
      const amountMicros = requireAmount(command.amountMicros, 'a withdrawal of credits')
      const data = { companyId, grantId, disputeId, withdrawal, amountMicros, withdrawnAt }
      return [{ type: 'CreditsWithdrawn', data }]
    }
    case 'ReinstateCredits': {
      const { companyId, grantId, disputeId, at: reinstatedAt } = command
      const amountMicros = requireAmount(command.amountMicros, 'a reinstatement of credits')
      const reinstatedBeforeMicros = command.reinstatedBeforeMicros.toString()
      const data = { companyId, grantId, disputeId, amountMicros, reinstatedBeforeMicros, reinstatedAt }
      return [{ type: 'CreditsReinstated', data }]
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
    case 'AnchorPriceBook': {
      const {
        companyId: bookCompanyId,
        bookId,
        effectiveFrom,
        prices,
        retired,
        replacesAll,
        publishedAt,
      } = command.book
      const ledger = { companyId: bookCompanyId ?? COMMON_LEDGER_ID, bookId, bookCompanyId }
      const book = { effectiveFrom, prices, retired, replacesAll, publishedAt }
      return [{ type: 'PriceBookAnchored', data: { ...ledger, ...book, anchoredAt: command.at } }]
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
    case 'CreditsExpired':
      return `expiry:${event.data.grantId}:${event.data.expiredBeforeMicros}`
    case 'CreditsWithdrawn':
      return `withdrawal:${event.data.disputeId}:${event.data.withdrawal}`
    case 'CreditsReinstated': {
      const { grantId, disputeId, reinstatedBeforeMicros } = event.data
      return disputeId === null
        ? `expiry-reversal:${grantId}:${reinstatedBeforeMicros}`
        : `reinstatement:${disputeId}:${reinstatedBeforeMicros}`
    }
    // Each month of a company is closed, billed and settled once.
    case 'MonthClosed':
      return `close:${event.data.companyId}:${event.data.month}`
    case 'MonthBilled':
      return `bill:${event.data.companyId}:${event.data.month}`
    case 'InvoiceSettled':
      return `settlement:${event.data.companyId}:${event.data.month}`
    case 'PriceBookAnchored':
      return anchorKey(event.data.bookId)
    default:
      return unexpected(event)
  }
}

/** A charge is reversed once. */
export function reversalKey(callId: string): string {
  return `reversal:${callId}`
}

/** A price book is anchored once. */
export function anchorKey(bookId: string): string {
  return `anchor:${bookId}`
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
    case 'CreditsExpired':
      return event.data.expiredAt
    case 'CreditsWithdrawn':
      return event.data.withdrawnAt
    case 'CreditsReinstated':
      return event.data.reinstatedAt
    case 'MonthClosed':
      return event.data.closedAt
    case 'MonthBilled':
      return event.data.billedAt
    case 'InvoiceSettled':
      return event.data.settledAt
    case 'PriceBookAnchored':
      return event.data.anchoredAt
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

function chargeOfCommand({
  price,
  usage,
  requestedTier,
  mostMicros,
}: Extract<LedgerCommand, { type: 'ChargeCall' }>): Charge {
  const charge = chargeOf(price, usage, requestedTier)
  return mostMicros === null ? charge : chargeWithin(charge, mostMicros)
}

function recordedAmounts({ amountMicros, lines, tierFactor }: Charge) {
  return {
    amountMicros: amountMicros.toString(),
    lines: lines.map((line) => ({ ...line, amountMicros: line.amountMicros.toString() })),
    tierFactor: tierFactor.toString(),
  }
}

function requireUsage(usage: Usage): void {
  const { tokensIn, tokensOut, parts, units } = usage
  for (const count of [tokensIn, tokensOut, ...Object.values(parts), ...Object.values(units)]) requireCount(count)
  // Parts belong to their direction, however the provider counts them.
  const within = boundedUsage(usage).parts
  if (Object.entries(parts).some(([kind, count]) => within[kind as keyof typeof within] !== count)) {
    throw new Refusal(
      'INVALID',
      `a call with ${tokensIn} input and ${tokensOut} output tokens cannot have more of a kind`,
    )
  }
}

function requireCount(count: number): void {
  if (!Number.isSafeInteger(count) || count < 0 || count > TOKENS_PER_CALL_MAX) {
    throw new Refusal('INVALID', `${count} is not a number of tokens or units that one call can use`)
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
    expiriesMicros: 0n,
    withdrawalsMicros: 0n,
    reinstatementsMicros: 0n,
  }),
  evolve,
  decide,
}
