import { packOffer } from '../../../../../capabilities/payments/offers.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { creditPackDecider, decide } from '../../../../../domain/creditPack/decider.ts'
import { creditsNumber, creditsOf } from '../../../../../domain/credits.ts'
import { type CreditPackRow, creditPacks as packsModel } from '../../../../../projections/creditPacks/projection.ts'
import { activePacks } from '../../../../../projections/creditPacks/queries.ts'
import { requireSuperAdmin, requireUser } from '../../access/access.ts'
import { notFound } from '../../apiError.ts'
import { change, type GraphqlContext, nowOf } from '../../context.ts'
import type { CreditPackOutput, Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'
import { PartlyDone } from '../../maskError.ts'
import { changesIn, renameProductOf } from './offerChanges.ts'

/** Credit packs, and their products and prices at the payment provider. */
export const packs: Resolvers = {
  Query: {
    creditPacks: async (_source, _args, context) => {
      requireUser(context)
      return (await activePacks(context.runtime.engines.database)).map(shownPack)
    },

    creditPackTerms: async (_source, _args, context) => {
      requireUser(context)
      const rows = await activePacks(context.runtime.engines.database)
      return rows.map(({ packId, validDays }) => ({
        packId,
        validDays: validDays === null ? null : Number(validDays),
      }))
    },
  },

  Mutation: {
    createCreditPack: async (_source, { input }, context) => {
      requireSuperAdmin(context)
      const packId = context.runtime.ids.uuid()
      const { name, currency, sortOrder } = input
      const command = {
        type: 'CreateCreditPack',
        packId,
        name,
        creditsMicros: creditsOf(input.credits),
        price: String(input.price),
        currency,
        sortOrder,
        validDays: input.validDays ?? null,
        at: nowOf(context),
      } as const
      // The pack is checked, then priced at the provider, then stored: if one of them fails, there is no pack.
      decide(command, creditPackDecider.initialState())
      const pricing = await context.payments.ensureOffer(packOffer({ ...command, packId }))
      const stream = streamName('creditPack', packId)
      const priced = { ...command, pricing }
      return shownPack(
        await change(context, packsModel, creditPackDecider, stream, priced).catch((error: unknown) => {
          throw new PartlyDone(
            `product ${pricing.productId} exists at the payment provider, but the pack may be missing; check creditPacks before you try again`,
            error,
          )
        }),
      )
    },

    updateCreditPack: async (_source, { id, input }, context) => {
      requireSuperAdmin(context)
      const packId = requireId(id, 'credit pack')
      const command = { type: 'UpdateCreditPack', packId, changes: changesIn(input), at: nowOf(context) } as const
      const row = await change(context, packsModel, creditPackDecider, streamName('creditPack', packId), command)
      if (input.name != null) await renameProductOf(context, 'pack', row, nameOf(context, packId))
      return shownPack(row)
    },

    retireCreditPack: async (_source, { id }, context) => {
      requireSuperAdmin(context)
      const packId = requireId(id, 'credit pack')
      const command = { type: 'RetireCreditPack', packId, at: nowOf(context) } as const
      return shownPack(await change(context, packsModel, creditPackDecider, streamName('creditPack', packId), command))
    },
  },
}

function nameOf({ runtime }: GraphqlContext, packId: string): () => Promise<string> {
  return async () => {
    const pack = await runtime.engines.commands.stateOf(creditPackDecider, streamName('creditPack', packId))
    if (pack.status === 'unknown') throw notFound('credit pack', packId)
    return pack.name
  }
}

function shownPack(row: CreditPackRow): CreditPackOutput {
  return {
    id: row.packId,
    name: row.name,
    credits: creditsNumber(BigInt(row.creditsMicros)),
    price: Number(row.price),
    currency: row.currency,
    sortOrder: Number(row.sortOrder),
  }
}
