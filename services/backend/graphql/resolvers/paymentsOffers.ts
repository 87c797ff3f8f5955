import { streamName } from '../../../../contracts/streams.ts'
import { creditPackDecider, decide } from '../../../../domain/creditPack/decider.ts'
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
import { requireId } from '../ids.ts'
import { PartlyDone } from '../maskError.ts'

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

    retirePlan: async (_source, { id }, context) => {
      requireSuperAdmin(context)
      const planId = requireId(id, 'plan')
      const command = { type: 'RetirePlan', planId, at: nowOf(context) } as const
      return shownPlan(await change(context, plansModel, planDecider, streamName('plan', planId), command))
    },

    createCreditPack: async (_source, { input }, context) => {
      requireSuperAdmin(context)
      const packId = context.runtime.ids.uuid()
      const { name, currency, sortOrder } = input
      const command = {
        type: 'CreateCreditPack',
        packId,
        name,
        creditsMicros: parseCredits(String(input.credits)),
        price: String(input.price),
        currency,
        sortOrder,
        at: nowOf(context),
      } as const
      // The pack is checked, then priced at the provider, then stored: if one of them fails, there is no pack.
      decide(command, creditPackDecider.initialState())
      const pricing = await context.payments.ensureOffer(packOffer({ ...command, pack_id: packId }))
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

    syncAllPlansProviderPricing: async (_source, _args, context) => {
      requireSuperAdmin(context)
      const plans: Plan[] = []
      const failures: { readonly planId: string; readonly error: unknown }[] = []
      for (const row of await allPlans(context.runtime.engines.database)) {
        try {
          plans.push(shownPlan(needsProviderPricing(row) ? await pricedPlan(context, row) : row))
        } catch (error) {
          failures.push({ planId: row.plan_id, error })
        }
      }
      const [first] = failures
      if (!first) return plans
      const without = failures.map(({ planId }) => planId).join(', ')
      throw new PartlyDone(
        `no price for plan ${without}; the other plans keep theirs; call syncAllPlansProviderPricing again`,
        first.error,
      )
    },
  },
}

async function pricedPlan(context: GraphqlContext, row: PlanRow): Promise<PlanRow> {
  const planId = row.plan_id
  const pricing = await context.payments.ensureOffer(planOffer(row))
  const command = { type: 'PricePlan', planId, ...pricing, at: nowOf(context) } as const
  return change(context, plansModel, planDecider, streamName('plan', planId), command)
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
