import { z } from 'zod'
import { type EventUnion, event, id, isoTime, nonNegativeMicros, positiveMicros, tokenCount } from './definition.ts'
import { isOrdinaryCharge } from './ordinaryCharge.ts'

/** What a charge was computed from: enough for an auditor to compute it again. */
export const priceApplied = z.strictObject({
  bookId: id,
  inputMicrosPerMillionTokens: nonNegativeMicros,
  outputMicrosPerMillionTokens: nonNegativeMicros,
})

const call = {
  companyId: id,
  callId: id,
  keyId: id,
  alias: z.string(),
  endpoint: z.string(),
  streamed: z.boolean(),
  admittedAt: isoTime,
  finishedAt: isoTime,
}

export const ledgerEvents = {
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
    1,
    z.strictObject({
      ...call,
      tokensIn: tokenCount,
      tokensOut: tokenCount,
      amountMicros: nonNegativeMicros,
      price: priceApplied,
    }),
    { isOrdinary: isOrdinaryCharge },
  ),
  CallFailed: event(1, z.strictObject({ ...call, reason: z.string() })),
  ChargeReversed: event(
    1,
    z.strictObject({
      companyId: id,
      callId: id,
      keyId: id,
      alias: z.string(),
      amountMicros: nonNegativeMicros,
      tokensIn: tokenCount,
      tokensOut: tokenCount,
      /** When the reversed call finished: a reversal subtracts the usage from the minute in which it was counted. */
      finishedAt: isoTime,
      reason: z.string(),
      reversedAt: isoTime,
    }),
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
}

export type LedgerEvent = EventUnion<typeof ledgerEvents>
export type PriceApplied = z.infer<typeof priceApplied>
