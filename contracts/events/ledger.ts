import { z } from 'zod'
import {
  type EventUnion,
  event,
  id,
  isoTime,
  nonNegativeMicros,
  positiveMicros,
  signedMicros,
  tokenCount,
  type Upcaster,
} from './definition.ts'
import { lotTerms } from './lotTerms.ts'
import { isOrdinaryCharge } from './ordinaryCharge.ts'
import { currency, minorAmount, providerId } from './payment.ts'
import { invoiceLine, month, postpaidTerms, signedOrZeroMicros } from './postpaid.ts'
import { aliasPrice, fromFormerPrice, priceApplied } from './pricing.ts'

/** The ledger of the price books of all companies: a chain of its own in the transparency log, and no company. */
export const COMMON_LEDGER_ID = '00000000-0000-4000-8000-000000000000'

/** The fields that version 2 added to the events of a call, all null in events of version 1. */
const attribution = {
  /** The label that the caller or its key gave the call. */
  label: z.string().nullable(),
  /** The provider that the call was last sent to, as named in PROVIDERS_FILE. Callers never see it. */
  provider: z.string().nullable(),
  /** What the provider charges us, in millionths of the currency; null if unknown. Callers never see it. */
  costMicros: nonNegativeMicros.nullable(),
  costCurrency: currency.nullable(),
  /** The input tokens that the provider read from its cache or wrote to it. They are part of all input tokens. */
  tokensCached: tokenCount.nullable(),
  tokensCacheWrite: tokenCount.nullable(),
}

/** Brings the facts of a call from version 1 to version 2. */
export const withoutAttribution: Upcaster = (data) => ({
  ...data,
  ...{ label: null, provider: null, costMicros: null, costCurrency: null, tokensCached: null, tokensCacheWrite: null },
})

/** Brings a charge from version 2 to version 3. */
const asOneAmount: Upcaster = (data) => {
  const { bookId, ...former } = data.price as Parameters<typeof fromFormerPrice>[0] & { readonly bookId: string }
  const price = { bookId, ...fromFormerPrice(former) }
  return { ...data, price, lines: null, serviceTier: null, tierFactor: null, abandoned: false }
}

/**
 * One kind of what a call used. The lines of a charge up to this one add up to their exact cost, rounded up to the next
 * micro.
 */
const chargeLine = z.strictObject({
  /** A kind of tokens, a unit, `call` for the fee of the call itself, or `beyondBound` for what was taken off. */
  kind: z.string(),
  count: tokenCount,
  /** Micros for a million, before the factor of the service tier. */
  rate: nonNegativeMicros,
  /** Negative only in the line `beyondBound`. */
  amountMicros: signedOrZeroMicros,
})

export const callFacts = z.strictObject({
  companyId: id,
  callId: id,
  keyId: id,
  alias: z.string(),
  endpoint: z.string(),
  streamed: z.boolean(),
  admittedAt: isoTime,
  finishedAt: isoTime,
  ...attribution,
})

export const GRANT_SOURCES = ['PACK_PURCHASE', 'SUBSCRIPTION', 'ADJUSTMENT', 'PROMOTION', 'ROLLOVER'] as const

export type GrantSource = (typeof GRANT_SOURCES)[number]

const balanceEvents = {
  CreditsGranted: event(
    2,
    z.strictObject({
      companyId: id,
      grantId: id,
      source: z.enum(GRANT_SOURCES),
      amountMicros: positiveMicros,
      reason: z.string(),
      /** The credits of a grant are a lot of their own. Null in version 1: those are one lot together, without expiry. */
      lot: lotTerms.nullable(),
      grantedAt: isoTime,
    }),
    { upcasters: { 1: (data) => ({ ...data, lot: null }) } },
  ),
  CallCharged: event(
    3,
    callFacts.extend({
      /** All input tokens, including cached ones. */
      tokensIn: tokenCount,
      tokensOut: tokenCount,
      amountMicros: nonNegativeMicros,
      price: priceApplied,
      /** They add up to the amount; null in charges from before version 3, which were computed as one amount. */
      lines: z.array(chargeLine).nullable(),
      /** The service tier as the provider reported it; null if it reported none. */
      serviceTier: z.string().nullable(),
      /** What the rates of tokens were multiplied by, in millionths; null in charges without lines. */
      tierFactor: nonNegativeMicros.nullable(),
      /** The caller had left before the answer was complete. */
      abandoned: z.boolean(),
    }),
    { isOrdinary: isOrdinaryCharge, upcasters: { 1: withoutAttribution, 2: asOneAmount } },
  ),
  /** Repeats the facts of the charge. It does not undo the provider's cost. */
  ChargeReversed: event(
    3,
    z.strictObject({
      companyId: id,
      callId: id,
      keyId: id,
      alias: z.string(),
      amountMicros: nonNegativeMicros,
      tokensIn: tokenCount,
      tokensOut: tokenCount,
      /** When the reversed call was admitted: a budget gets the credits back in the period in which they were spent. */
      admittedAt: isoTime,
      /** When the reversed call finished: a reversal subtracts the usage from the minute in which it was counted. */
      finishedAt: isoTime,
      ...attribution,
      reason: z.string(),
      reversedAt: isoTime,
    }),
    // Earlier versions do not say when the call was admitted; it finished soon after.
    { upcasters: { 1: withoutAttribution, 2: (data) => ({ ...data, admittedAt: data.finishedAt }) } },
  ),
  CreditsRefunded: event(
    2,
    z.strictObject({
      companyId: id,
      refundId: id,
      /** The grant whose credits were taken back; null in version 1, which does not say. */
      grantId: id.nullable(),
      amountMicros: positiveMicros,
      reason: z.string(),
      refundedAt: isoTime,
    }),
    { upcasters: { 1: (data) => ({ ...data, grantId: null }) } },
  ),
  /** What was left of a lot after its time, once no call that was admitted before can still be charged. */
  CreditsExpired: event(
    1,
    z.strictObject({
      companyId: id,
      /** The grant whose credits expired. */
      grantId: id,
      amountMicros: positiveMicros,
      /** What had expired of the lot before: with the grant it identifies the event, so that it is stored once. */
      expiredBeforeMicros: nonNegativeMicros,
      expiredAt: isoTime,
    }),
  ),
  /** The payment of a grant is disputed, so its credits are taken until the dispute is won. */
  CreditsWithdrawn: event(
    1,
    z.strictObject({
      companyId: id,
      grantId: id,
      disputeId: providerId,
      /** Counts the withdrawals of the dispute from 1: its amount may be raised. */
      withdrawal: z.int().positive(),
      amountMicros: positiveMicros,
      withdrawnAt: isoTime,
    }),
  ),
  /** Gives back what was taken from a lot without need. */
  CreditsReinstated: event(
    1,
    z.strictObject({
      companyId: id,
      grantId: id,
      /** The dispute that was won; null if a charge came after the lot had expired, and needed its credits. */
      disputeId: providerId.nullable(),
      amountMicros: positiveMicros,
      /** What was given back before for the same reason: with the grant and the dispute it identifies the event. */
      reinstatedBeforeMicros: nonNegativeMicros,
      reinstatedAt: isoTime,
    }),
  ),
  /** A super admin changed the balance, usually to correct an entry of the ledger; or a refund failed at the provider. */
  CreditsAdjusted: event(
    2,
    z.strictObject({
      companyId: id,
      adjustmentId: id,
      /** Positive if credits are added, negative if they are taken. */
      amountMicros: signedMicros,
      reason: z.string(),
      /** The user who made it; null if it follows from a report of the payment provider, such as a refund that failed. */
      adjustedBy: id.nullable(),
      /** The id of the ledger event that it corrects; null if it corrects none. */
      corrects: id.nullable(),
      /**
       * Counts the corrections of that event from 1; null without one. The event id derives from it, so that of two
       * corrections made at the same moment only one is stored.
       */
      correction: z.int().positive().nullable(),
      adjustedAt: isoTime,
    }),
    // In version 1 each of them was made by a user.
    { upcasters: { 1: (data) => data } },
  ),
  /** The invoice of a month was paid: its credits are no longer owed. */
  InvoiceSettled: event(
    1,
    z.strictObject({
      companyId: id,
      month,
      /** null if the plan is free, so that there is no invoice. */
      invoiceId: providerId.nullable(),
      amountMicros: positiveMicros,
      settledAt: isoTime,
    }),
  ),
}

/** Recorded in the ledger without changing the balance. */
const otherEvents = {
  CallFailed: event(
    2,
    callFacts.extend({
      reason: z.string(),
      /** The estimated tokens of a stream whose caller disconnected; null for any other call. */
      tokensAbandoned: tokenCount.nullable(),
    }),
    { upcasters: { 1: (data) => ({ ...withoutAttribution(data), tokensAbandoned: null }) } },
  ),
  /**
   * Ends the range of a month: the revisions after the previous close up to this one. The terms are those of the company's
   * plan at this moment, so that the ledger alone determines the invoice.
   */
  MonthClosed: event(1, z.strictObject({ companyId: id, month, terms: postpaidTerms, closedAt: isoTime })),
  /** What the range of a closed month costs. It follows from the ledger, and is recorded once. */
  MonthBilled: event(
    1,
    z.strictObject({
      companyId: id,
      month,
      /** The revision of the previous close; -1 for the first one. The range begins after it. */
      afterRevision: z.int().min(-1),
      /** The revision of the close, which ends the range. */
      closeRevision: z.int().nonnegative(),
      openingMicros: signedOrZeroMicros,
      lines: z.array(invoiceLine),
      /** The credits that are invoiced; 0 if none are owed, or too few for the smallest amount of money. */
      creditsMicros: nonNegativeMicros,
      amountMinor: minorAmount,
      currency,
      /** What the next range begins with: unused prepaid credits, or an amount too small to be invoiced. */
      carriedMicros: signedOrZeroMicros,
      billedAt: isoTime,
    }),
  ),
  /**
   * A price book, so that the transparency log contains it. The book of a company is on its own ledger, where no other
   * company can read it, and a book of all companies is on the common ledger.
   */
  PriceBookAnchored: event(
    1,
    z.strictObject({
      companyId: id,
      bookId: id,
      /** The company whose prices the book changes; null for the prices of all companies. */
      bookCompanyId: id.nullable(),
      /** When the book takes effect, which is later than it was decided if it was stored too late. */
      effectiveFrom: isoTime,
      prices: z.record(z.string(), aliasPrice),
      retired: z.array(z.string()),
      replacesAll: z.boolean(),
      publishedAt: isoTime,
      anchoredAt: isoTime,
    }),
  ),
}

export const ledgerEvents = { ...balanceEvents, ...otherEvents }

export type LedgerEvent = EventUnion<typeof ledgerEvents>
/** The events that change the balance. */
export type BalanceEvent = EventUnion<typeof balanceEvents>
/** The events about a call: its charge, its failure or the reversal of its charge. */
export type CallEvent = Extract<LedgerEvent, { data: { callId: string } }>
/** What a charged and a failed call have in common. */
export type CallFacts = z.infer<typeof callFacts>
export type ChargeLine = z.infer<typeof chargeLine>

export function changesBalance<E extends LedgerEvent>(event: E): event is Extract<E, BalanceEvent> {
  return event.type in balanceEvents
}

export function isOfCall<E extends LedgerEvent>(event: E): event is Extract<E, CallEvent> {
  return 'callId' in event.data
}
