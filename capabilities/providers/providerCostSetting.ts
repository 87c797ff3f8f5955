import { z } from 'zod'
import { currency } from '../../contracts/events/payment.ts'
import type { AliasPrice, Rates } from '../../contracts/events/pricing.ts'
import { Refusal } from '../../domain/decider.ts'
import { requirePrice } from '../../domain/pricing/priceRules.ts'
import type { ProviderCost } from '../../domain/pricing/providerCost.ts'

/** The old form has no currency; providers with such prices charge in dollars. */
const OLD_CURRENCY = 'usd'
/** One currency unit per token. Higher rates are treated as typing errors. */
const OLD_RATE_MAX = 1_000_000

/** Rates of tokens are kept in millionths for a million. */
const RATE_PLACES = 6
/** The fee of a unit is given for one and kept for a million, so it may have six more places. */
const FEE_PLACES = 12

/** A decimal of at most so many places as a whole number of its last place, as text because a double would round it. */
function decimal(places: number) {
  const message = `must be a decimal in quotes, such as "2.50", with up to ${places} places`
  return z
    .string({ error: message })
    .regex(new RegExp(`^\\d{1,9}(?:\\.\\d{1,${places}})?$`), message)
    .transform((text) => {
      const [whole = '0', fraction = ''] = text.split('.')
      return BigInt(whole + fraction.padEnd(places, '0')).toString()
    })
}

const amount = decimal(RATE_PLACES)

const rateFields = {
  inputPerMillion: amount,
  cachedInputPerMillion: amount.optional(),
  cacheWritePerMillion: amount.optional(),
  cacheWrite1hPerMillion: amount.optional(),
  audioInputPerMillion: amount.optional(),
  imageInputPerMillion: amount.optional(),
  outputPerMillion: amount,
  reasoningPerMillion: amount.optional(),
  audioOutputPerMillion: amount.optional(),
  imageOutputPerMillion: amount.optional(),
}
type RateFields = z.infer<z.ZodObject<typeof rateFields>>

const inputTier = z
  .strictObject({ tokens: z.int(), inclusive: z.boolean().default(false), ...rateFields })
  .transform(({ tokens, inclusive, ...rates }) => ({ tokens, inclusive, rates: ratesOf(rates) }))

const costPerMillion = z
  .strictObject({
    currency,
    ...rateFields,
    /** By rising threshold; each is complete. */
    inputTiers: z
      .array(inputTier)
      .superRefine((inputTiers, context) => report(context, { inputTiers }))
      .optional(),
    /** Decimals for one unit. */
    units: z
      .record(z.string(), decimal(FEE_PLACES))
      .superRefine((unitRates, context) => report(context, { unitRates }))
      .optional(),
    /** What the rates of tokens are multiplied by. */
    serviceTiers: z
      .record(z.string(), decimal(RATE_PLACES))
      .superRefine((tierFactors, context) => report(context, { tierFactors }))
      .optional(),
    perCall: amount.optional(),
  })
  .transform(({ currency, inputTiers, units, serviceTiers, perCall, ...rates }): ProviderCost => {
    const price = {
      rates: ratesOf(rates),
      ...(inputTiers !== undefined && { inputTiers }),
      ...(units !== undefined && { unitRates: units }),
      ...(serviceTiers !== undefined && { tierFactors: serviceTiers }),
      ...(perCall !== undefined && { callMicros: perCall }),
    }
    return { currency, price }
  })

/** `cachedInputPerMillion` is the rate `cachedInput`, and so on. */
function ratesOf(fields: RateFields): Rates {
  const given = Object.entries(fields).filter(([, rate]) => rate !== undefined)
  return Object.fromEntries(given.map(([name, rate]) => [name.replace(/PerMillion$/, ''), rate])) as Rates
}

/** Reports what the rules of all prices refuse in this part of one. */
function report(context: z.RefinementCtx, part: Omit<AliasPrice, 'rates'>): void {
  try {
    requirePrice('this cost', { rates: { input: '0', output: '0' }, ...part })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    context.addIssue({ code: 'custom', message: error.message.replace(/^prices: /, '') })
  }
}

/** A double of millionths per token, rounded to the nearest millionth per million tokens. */
const oldRate = z
  .number()
  .nonnegative()
  .max(OLD_RATE_MAX)
  .transform((microsPerToken) => BigInt(Math.round(microsPerToken * 1_000_000)).toString())

const costPerToken = z.strictObject({ inputMicrosPerToken: oldRate, outputMicrosPerToken: oldRate }).transform(
  ({ inputMicrosPerToken: input, outputMicrosPerToken: output }): ProviderCost => ({
    currency: OLD_CURRENCY,
    price: { rates: { input, output } },
  }),
)

/** `cost` of a provider in PROVIDERS_FILE: in the currency per million tokens, or the old form. */
export const providerCostSetting = z.unknown().transform((value, context): ProviderCost => {
  const isOld = typeof value === 'object' && value !== null && 'inputMicrosPerToken' in value
  const parsed = (isOld ? costPerToken : costPerMillion).safeParse(value)
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path: [...path], message })
  return z.NEVER
})
