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
import { isOrdinaryCharge } from './ordinaryCharge.ts'
import { currency, minorAmount, providerId } from './payment.ts'
import { invoiceLine, month, postpaidTerms, signedOrZeroMicros } from './postpaid.ts'
import { rates } from './pricing.ts'

/** What a charge was computed from: enough for an auditor to recompute it. */
export const priceApplied = z.strictObject({ bookId: id, ...rates })

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

const balanceEvents = {
  CreditsGranted: event(
    1,
    z.strictObject({
      companyId: id,
      grantId: id,
      source: z.enum(['PACK_PURCHASE', 'SUBSCRIPTION', 'ADJUSTMENT']),
      amountMicros: positiveMicros,
      reason: z.string(),
      grantedAt: isoTime,
    }),
  ),
  CallCharged: event(
    2,
    callFacts.extend({
      /** All input tokens, including cached ones. */
      tokensIn: tokenCount,
      tokensOut: tokenCount,
      amountMicros: nonNegativeMicros,
      price: priceApplied,
    }),
    { isOrdinary: isOrdinaryCharge, upcasters: { 1: withoutAttribution } },
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
    1,
    z.strictObject({
      companyId: id,
      refundId: id,
      amountMicros: positiveMicros,
      reason: z.string(),
      refundedAt: isoTime,
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
}

export const ledgerEvents = { ...balanceEvents, ...otherEvents }

export type LedgerEvent = EventUnion<typeof ledgerEvents>
/** The events that change the balance. */
export type BalanceEvent = EventUnion<typeof balanceEvents>
/** The events about a call: its charge, its failure or the reversal of its charge. */
export type CallEvent = Extract<LedgerEvent, { data: { callId: string } }>
/** What a charged and a failed call have in common. */
export type CallFacts = z.infer<typeof callFacts>
export type PriceApplied = z.infer<typeof priceApplied>

export function changesBalance<E extends LedgerEvent>(event: E): event is Extract<E, BalanceEvent> {
  return event.type in balanceEvents
}

export function isOfCall<E extends LedgerEvent>(event: E): event is Extract<E, CallEvent> {
  return 'callId' in event.data
}
