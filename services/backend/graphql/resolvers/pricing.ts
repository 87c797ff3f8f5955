import type { AliasPrice } from '../../../../contracts/events/pricing.ts'
import { PRICING_STREAM } from '../../../../contracts/streams.ts'
import { creditsNumber, parseCredits } from '../../../../domain/credits.ts'
import { pricingDecider } from '../../../../domain/pricing/decider.ts'
import { priceBooks } from '../../../../projections/priceBooks/projection.ts'
import { requireSuperAdmin } from '../access.ts'
import { apiError } from '../apiError.ts'
import { nowOf, send, shownIn } from '../context.ts'
import type { AliasPriceInput, Resolvers } from '../generated.ts'

export const pricing: Resolvers = {
  Mutation: {
    publishPriceBook: async (_source, { input }, context) => {
      requireSuperAdmin(context)
      const bookId = context.runtime.ids.uuid()
      const at = nowOf(context)
      const effectiveFrom = input.effectiveFrom ?? null
      const prices = pricesOf(input.prices)
      const book = { bookId, companyId: null, effectiveFrom, prices, retired: [], at }
      const command = { type: 'PublishPriceBook', ...book } as const
      const { position } = await send(context, pricingDecider, PRICING_STREAM, command)
      await shownIn(context, priceBooks, PRICING_STREAM, position)
      return { id: bookId, effectiveFrom: effectiveFrom ?? at, prices: Object.entries(prices).map(shownPrice) }
    },
  },
}

function pricesOf(inputs: readonly AliasPriceInput[]): Record<string, AliasPrice> {
  const prices = new Map<string, AliasPrice>()
  for (const { alias, inputPerMillionTokens, outputPerMillionTokens } of inputs) {
    if (prices.has(alias)) throw apiError('BAD_USER_INPUT', `prices names ${alias.slice(0, 100)} twice`)
    prices.set(alias, {
      inputMicrosPerMillionTokens: parseCredits(String(inputPerMillionTokens)).toString(),
      outputMicrosPerMillionTokens: parseCredits(String(outputPerMillionTokens)).toString(),
    })
  }
  return Object.fromEntries(prices)
}

function shownPrice([alias, price]: [string, AliasPrice]) {
  return {
    alias,
    inputPerMillionTokens: creditsNumber(BigInt(price.inputMicrosPerMillionTokens)),
    outputPerMillionTokens: creditsNumber(BigInt(price.outputMicrosPerMillionTokens)),
  }
}
