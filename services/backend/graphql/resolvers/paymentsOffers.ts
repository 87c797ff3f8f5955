import { streamName } from '../../../../contracts/streams.ts'
import { creditPackDecider } from '../../../../domain/creditPack/decider.ts'
import { creditsNumber, parseCredits } from '../../../../domain/credits.ts'
import { planDecider } from '../../../../domain/plan/decider.ts'
import { type CreditPackRow, creditPacks as packsModel } from '../../../../projections/creditPacks/projection.ts'
import { activePacks } from '../../../../projections/creditPacks/queries.ts'
import { type PlanRow, plans as plansModel } from '../../../../projections/plans/projection.ts'
import { allPlans, needsProviderPricing } from '../../../../projections/plans/queries.ts'
import { packOffer, planOffer } from '../../../platform/payments/offers.ts'
import { requireSuperAdmin, requireUser } from '../access.ts'
import { change, type GraphqlContext, nowOf } from '../context.ts'
import type { CreditPackOutput, Plan, Resolvers } from '../generated.ts'

/** Plans and credit packs, and their products and prices at the payment provider. */
export const offers: Resolvers = {
  Query: {
    plans: async (_source, _args, context) => {
      requireUser(context)
      return (await allPlans(context.runtime.engines.database)).map(shownPlan)
    },
    creditPacks: async (_source, _args, context) => {
      requireUser(context)
      return (await activePacks(context.runtime.engines.database)).map(shownPack)
    },
  },

  Mutation: {
    createPlan: async (_source, { input }, context) => {
      requireSuperAdmin(context)
      const planId = context.runtime.ids.uuid()
      const { name, billingMode, currency } = input
      const row = await change(context, plansModel, planDecider, streamName('plan', planId), {
        type: 'CreatePlan',
        planId,
        name,
        billingMode,
        // The shortest decimal of the number is what the caller wrote.
        price: String(input.price),
        currency,
        creditsPerPeriodMicros: parseCredits(String(input.creditsPerPeriod)),
        at: nowOf(context),
      })
      return shownPlan(row)
    },

    createCreditPack: async (_source, { input }, context) => {
      requireSuperAdmin(context)
      const packId = context.runtime.ids.uuid()
      const { name, currency, sortOrder } = input
      // The pack is stored first: its id names the product, so a retry after a crash finds what exists already.
      const row = await change(context, packsModel, creditPackDecider, streamName('creditPack', packId), {
        type: 'CreateCreditPack',
        packId,
        name,
        creditsMicros: parseCredits(String(input.credits)),
        price: String(input.price),
        currency,
        sortOrder,
        at: nowOf(context),
      })
      return shownPack(await pricedPack(context, row))
    },

    syncAllPlansProviderPricing: async (_source, _args, context) => {
      requireSuperAdmin(context)
      const rows = await allPlans(context.runtime.engines.database)
      const outcomes = []
      for (const row of rows) {
        outcomes.push(needsProviderPricing(row) ? await settled(pricedPlan(context, row)) : { row })
      }
      // The other plans keep the prices that they got.
      const failed = outcomes.find((outcome) => 'error' in outcome)
      if (failed) throw failed.error
      return outcomes.flatMap((outcome) => ('row' in outcome ? [shownPlan(outcome.row)] : []))
    },
  },
}

async function settled(priced: Promise<PlanRow>): Promise<{ row: PlanRow } | { error: unknown }> {
  return priced.then(
    (row) => ({ row }),
    (error: unknown) => ({ error }),
  )
}

async function pricedPlan(context: GraphqlContext, row: PlanRow): Promise<PlanRow> {
  const planId = row.plan_id
  const pricing = await context.payments.ensureOffer(planOffer(row))
  const command = { type: 'PricePlan', planId, ...pricing, at: nowOf(context) } as const
  return change(context, plansModel, planDecider, streamName('plan', planId), command)
}

async function pricedPack(context: GraphqlContext, row: CreditPackRow): Promise<CreditPackRow> {
  const packId = row.pack_id
  const pricing = await context.payments.ensureOffer(packOffer(row))
  const command = { type: 'PriceCreditPack', packId, ...pricing, at: nowOf(context) } as const
  return change(context, packsModel, creditPackDecider, streamName('creditPack', packId), command)
}

function shownPlan(row: PlanRow): Plan {
  return {
    id: row.plan_id,
    name: row.name,
    active: row.active,
    billingMode: row.billing_mode,
    price: Number(row.price),
    currency: row.currency,
    creditsPerPeriod: creditsNumber(BigInt(row.credits_per_period_micros)),
    providerProductId: row.provider_product_id,
    providerPriceId: row.provider_price_id,
    needsProviderPricing: needsProviderPricing(row),
    updatedAt: row.updated_at,
  }
}

function shownPack(row: CreditPackRow): CreditPackOutput {
  return {
    id: row.pack_id,
    name: row.name,
    credits: creditsNumber(BigInt(row.credits_micros)),
    price: Number(row.price),
    currency: row.currency,
    sortOrder: Number(row.sort_order),
  }
}
