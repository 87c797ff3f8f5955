import { planOffer } from '../../../../../capabilities/payments/offers.ts'
import type { Pricing } from '../../../../../capabilities/payments/paymentProvider.ts'
import { priceOffer } from '../../../../../capabilities/payments/productName.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { creditsNumber, creditsOf } from '../../../../../domain/credits.ts'
import { planDecider } from '../../../../../domain/plan/decider.ts'
import { type PlanRow, plans as plansModel } from '../../../../../projections/plans/projection.ts'
import { allPlans, needsProviderPricing } from '../../../../../projections/plans/queries.ts'
import { requireSuperAdmin, requireUser } from '../../access/access.ts'
import { notFound } from '../../apiError.ts'
import { change, type GraphqlContext, nowOf } from '../../context.ts'
import { scaled, shownFactor } from '../../credits/shownPrices.ts'
import type { Plan, Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'
import { PartlyDone } from '../../maskError.ts'
import { changesIn, renameProductOf } from './offerChanges.ts'

const SHARE_DECIMALS = 6

/** Plans, and their products and prices at the payment provider. */
export const plans: Resolvers = {
  Query: {
    plans: async (_source, _args, context) => {
      requireUser(context)
      return (await allPlans(context.runtime.engines.database)).map(shownPlan)
    },
  },

  Mutation: {
    createPlan: async (_source, { input }, context) => {
      requireSuperAdmin(context)
      const planId = context.runtime.ids.uuid()
      const { name, billingMode, currency, sortOrder } = input
      const row = await change(context, plansModel, planDecider, streamName('plan', planId), {
        type: 'CreatePlan',
        planId,
        name,
        billingMode,
        // The shortest decimal of the number is what the caller wrote.
        price: String(input.price),
        currency,
        creditsPerPeriodMicros: creditsOf(input.creditsPerPeriod),
        ...(sortOrder != null && { sortOrder }),
        ...(input.dueDays == null ? {} : { dueDays: input.dueDays }),
        rolloverShare:
          input.rolloverShare == null ? null : scaled(input.rolloverShare, SHARE_DECIMALS, 'rolloverShare'),
        at: nowOf(context),
      })
      return shownPlan(row)
    },

    updatePlan: async (_source, { id, input }, context) => {
      requireSuperAdmin(context)
      const planId = requireId(id, 'plan')
      const command = { type: 'UpdatePlan', planId, changes: changesIn(input), at: nowOf(context) } as const
      const row = await change(context, plansModel, planDecider, streamName('plan', planId), command)
      if (input.name != null) await renameProductOf(context, 'plan', row, nameOf(context, planId))
      return shownPlan(row)
    },

    retirePlan: async (_source, { id }, context) => {
      requireSuperAdmin(context)
      const planId = requireId(id, 'plan')
      const command = { type: 'RetirePlan', planId, at: nowOf(context) } as const
      return shownPlan(await change(context, plansModel, planDecider, streamName('plan', planId), command))
    },

    syncAllPlansProviderPricing: async (_source, _args, context) => {
      requireSuperAdmin(context)
      const shown: Plan[] = []
      const failures: { readonly planId: string; readonly error: unknown }[] = []
      for (const row of await allPlans(context.runtime.engines.database)) {
        try {
          shown.push(shownPlan(needsProviderPricing(row) ? await pricedPlan(context, row) : row))
        } catch (error) {
          failures.push({ planId: row.planId, error })
        }
      }
      const [first] = failures
      if (!first) return shown
      const without = failures.map(({ planId }) => planId).join(', ')
      throw new PartlyDone(
        `no price for plan ${without}; the other plans keep theirs; call syncAllPlansProviderPricing again`,
        first.error,
      )
    },
  },
}

function pricedPlan(context: GraphqlContext, row: PlanRow): Promise<PlanRow> {
  const { planId } = row
  const record = (pricing: Pricing) => {
    const command = { type: 'PricePlan', planId, ...pricing, at: nowOf(context) } as const
    return change(context, plansModel, planDecider, streamName('plan', planId), command)
  }
  return priceOffer(context.payments, planOffer(row), record, nameOf(context, planId))
}

function nameOf({ runtime }: GraphqlContext, planId: string): () => Promise<string> {
  return async () => {
    const plan = await runtime.engines.commands.stateOf(planDecider, streamName('plan', planId))
    if (plan.status === 'unknown') throw notFound('plan', planId)
    return plan.name
  }
}

function shownPlan(row: PlanRow): Plan {
  const { planId: id, name, active, billingMode, currency, providerProductId, providerPriceId, updatedAt } = row
  return {
    ...{ id, name, active, billingMode, currency, providerProductId, providerPriceId, updatedAt },
    price: Number(row.price),
    creditsPerPeriod: creditsNumber(BigInt(row.creditsPerPeriodMicros)),
    dueDays: Number(row.dueDays),
    rolloverShare: row.rolloverShare === null ? null : shownFactor(row.rolloverShare),
    needsProviderPricing: needsProviderPricing(row),
    sortOrder: Number(row.sortOrder),
  }
}
