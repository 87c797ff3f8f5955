import { z } from 'zod'
import { PRICE_LEAD_MS, PRICE_NOTICE_MS } from '../priceLead.ts'
import { type EventUnion, event, id, isoTime, nonNegativeMicros } from './definition.ts'

/** Micros for a million tokens, because a token often costs less than a micro. A kind without a rate costs as its parent kind. */
const rates = z.strictObject({
  input: nonNegativeMicros,
  output: nonNegativeMicros,
  cachedInput: nonNegativeMicros.optional(),
  cacheWrite: nonNegativeMicros.optional(),
  cacheWrite1h: nonNegativeMicros.optional(),
  audioInput: nonNegativeMicros.optional(),
  imageInput: nonNegativeMicros.optional(),
  reasoning: nonNegativeMicros.optional(),
  audioOutput: nonNegativeMicros.optional(),
  imageOutput: nonNegativeMicros.optional(),
})
export type Rates = z.infer<typeof rates>

/** The rates of calls whose whole input, with what is cached, is larger than `tokens`, or as large if it is inclusive. */
const inputTier = z.strictObject({ tokens: z.int().positive(), inclusive: z.boolean(), rates })
export type InputTier = z.infer<typeof inputTier>

const priceFields = {
  rates,
  /** By rising threshold. Each is complete: nothing is taken from the rates for less input. */
  inputTiers: z.array(inputTier).optional(),
  /** Micros for a million units. A call that may use a unit without a rate is refused. */
  unitRates: z.record(z.string(), nonNegativeMicros).optional(),
  /** What the rates of tokens are multiplied by, in millionths, at the service tiers that cost more or less. */
  tierFactors: z.record(z.string(), nonNegativeMicros).optional(),
  /** The fee for the call itself. */
  callMicros: nonNegativeMicros.optional(),
}

/** What an alias costs the caller. */
export const aliasPrice = z.strictObject(priceFields)
export type AliasPrice = z.infer<typeof aliasPrice>

/** What a charge was computed from: enough for an auditor to recompute it. */
export const priceApplied = z.strictObject({ bookId: id, ...priceFields })
export type PriceApplied = z.infer<typeof priceApplied>

export const pricingEvents = {
  /** Changes the prices of the aliases that it names. Others keep theirs, except in books that replace all prices. */
  PriceBookPublished: event(
    3,
    z.strictObject({
      bookId: id,
      /** The company whose prices it changes; null for the prices of all companies. */
      companyId: id.nullable(),
      /** A book that was stored too late for gateways to know it by then takes effect later, see `inForceOnceKnown`. */
      effectiveFrom: isoTime,
      prices: z.record(z.string(), aliasPrice),
      /** Aliases without a price in this stream from then on. A company then pays the common price again. */
      retired: z.array(z.string()),
      /** True only in books of version 1: aliases that they do not name have no price from then on. */
      replacesAll: z.boolean(),
      publishedAt: isoTime,
    }),
    {
      upcasters: {
        1: (data) => ({ ...data, companyId: null, retired: [], replacesAll: true }),
        2: (data) => ({ ...data, prices: mapped(data.prices as Record<string, FormerPrice>, fromFormerPrice) }),
      },
      asRecorded: inForceOnceKnown,
    },
  ),
}

/** A price before there were more kinds than these. */
type FormerPrice = {
  readonly inputMicrosPerMillionTokens: string
  readonly cachedInputMicrosPerMillionTokens?: string
  readonly cacheWriteMicrosPerMillionTokens?: string
  readonly outputMicrosPerMillionTokens: string
  readonly perCallMicros?: string
}

export function fromFormerPrice(former: FormerPrice): AliasPrice {
  const { cachedInputMicrosPerMillionTokens: cachedInput, cacheWriteMicrosPerMillionTokens: cacheWrite } = former
  return {
    rates: {
      input: former.inputMicrosPerMillionTokens,
      ...(cachedInput !== undefined && { cachedInput }),
      ...(cacheWrite !== undefined && { cacheWrite }),
      output: former.outputMicrosPerMillionTokens,
    },
    ...(former.perCallMicros !== undefined && { callMicros: former.perCallMicros }),
  }
}

function mapped<From, To>(values: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]))
}

export type PricingEvent = EventUnion<typeof pricingEvents>

/**
 * Between the decision and the moment when its event is stored, gateways charge by the prices before. A book without the
 * lead time names only aliases that had no price, so it can begin in the past.
 */
function inForceOnceKnown(book: Record<string, unknown>, recordedAt: string): Record<string, unknown> {
  const { effectiveFrom, publishedAt } = book as { readonly effectiveFrom: string; readonly publishedAt: string }
  if (Date.parse(effectiveFrom) < Date.parse(publishedAt) + PRICE_LEAD_MS) return book
  const known = new Date(Date.parse(recordedAt) + PRICE_NOTICE_MS).toISOString()
  return effectiveFrom < known ? { ...book, effectiveFrom: known } : book
}
