import { freshReports } from '../../../../../capabilities/providers/gatewayReports.ts'
import { mergedReports, type ServedModel } from '../../../../../capabilities/providers/mergedReports.ts'
import type { PriceApplied } from '../../../../../contracts/events/pricing.ts'
import { priceBooksFor, pricesIn } from '../../../../../projections/priceBooks/queries.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import { nowOf } from '../../context.ts'
import { shownPrice } from '../../credits/shownPrices.ts'
import type { BreakerState, Model, ModelProvider, Resolvers } from '../../generated.ts'

export const BREAKERS = { closed: 'CLOSED', 'half-open': 'HALF_OPEN', open: 'OPEN' } as const satisfies Record<
  string,
  BreakerState
>

export const models: Resolvers = {
  Query: {
    models: async (_source, _args, context) => {
      requireSuperAdmin(context)
      const { database } = context.runtime.engines
      const [reports, books] = await Promise.all([freshReports(database), priceBooksFor(database, null)])
      const prices = pricesIn(books, nowOf(context))
      const served = mergedReports(reports)
      const routed = new Set(served.map(({ alias }) => alias))
      const unrouted = [...prices.keys()].filter((alias) => !routed.has(alias)).toSorted()
      return [
        ...served.map((model) => servedModel(model, prices.get(model.alias))),
        ...unrouted.map((alias) => unroutedModel(alias, prices.get(alias))),
      ]
    },
  },
}

function servedModel(model: ServedModel, price: PriceApplied | undefined): Model {
  const { alias, contextLength, maxOutputTokens, strategy, wires, providers } = model
  return {
    ...{ alias, contextLength, maxOutputTokens, strategy, wires: [...wires] },
    price: priceOf(alias, price),
    providers: providers.map(
      ({ provider, weight, wires: apis, breaker, answers, errors, firstByteMs }): ModelProvider => ({
        ...{ name: provider, weight, wires: [...apis], breaker: BREAKERS[breaker], answers, errors },
        firstByteMs: firstByteMs === null ? null : Math.round(firstByteMs),
      }),
    ),
  }
}

function unroutedModel(alias: string, price: PriceApplied | undefined): Model {
  const unknown = { contextLength: null, maxOutputTokens: null, strategy: null, wires: [], providers: [] }
  return { alias, ...unknown, price: priceOf(alias, price) }
}

function priceOf(alias: string, price: PriceApplied | undefined): Model['price'] {
  return price ? shownPrice([alias, price], price.bookId) : null
}
