import { z } from 'zod'
import { currency } from '../../contracts/events/payment.ts'
import type { ProviderCost } from '../../domain/pricing/providerCost.ts'

const DECIMALS = 6
const AMOUNT = /^\d{1,9}(?:\.\d{1,6})?$/
const AMOUNT_MESSAGE = 'must be a decimal in quotes, such as "2.50", with up to six places'
/** The old form has no currency; providers with such prices charge in dollars. */
const OLD_CURRENCY = 'usd'
/** One currency unit per token. Higher rates are treated as typing errors. */
const OLD_RATE_MAX = 1_000_000

/** A decimal in millionths, as text because a double would round it. */
const amount = z
  .string({ error: AMOUNT_MESSAGE })
  .regex(AMOUNT, AMOUNT_MESSAGE)
  .transform((text) => {
    const [whole = '0', fraction = ''] = text.split('.')
    return BigInt(whole + fraction.padEnd(DECIMALS, '0'))
  })

const costPerMillion = z
  .strictObject({
    currency,
    inputPerMillion: amount,
    cachedInputPerMillion: amount.optional(),
    cacheWritePerMillion: amount.optional(),
    outputPerMillion: amount,
    perCall: amount.optional(),
  })
  .transform(
    (cost): ProviderCost => ({
      currency: cost.currency,
      inputMicrosPerMillionTokens: cost.inputPerMillion,
      cachedInputMicrosPerMillionTokens: cost.cachedInputPerMillion ?? null,
      cacheWriteMicrosPerMillionTokens: cost.cacheWritePerMillion ?? null,
      outputMicrosPerMillionTokens: cost.outputPerMillion,
      perCallMicros: cost.perCall ?? 0n,
    }),
  )

/** A double of millionths per token, rounded to the nearest millionth per million tokens. */
const oldRate = z
  .number()
  .nonnegative()
  .max(OLD_RATE_MAX)
  .transform((microsPerToken) => BigInt(Math.round(microsPerToken * 1_000_000)))

const costPerToken = z.strictObject({ inputMicrosPerToken: oldRate, outputMicrosPerToken: oldRate }).transform(
  (cost): ProviderCost => ({
    currency: OLD_CURRENCY,
    inputMicrosPerMillionTokens: cost.inputMicrosPerToken,
    cachedInputMicrosPerMillionTokens: null,
    cacheWriteMicrosPerMillionTokens: null,
    outputMicrosPerMillionTokens: cost.outputMicrosPerToken,
    perCallMicros: 0n,
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
