import { streamName } from '../../../../../contracts/streams.ts'
import { companyDecider } from '../../../../../domain/company/decider.ts'
import { creditsNumber, creditsOf } from '../../../../../domain/credits.ts'
import { monthOf } from '../../../../../domain/postpaid/month.ts'
import { majorUnits } from '../../../../../domain/price.ts'
import { type Attempt, isRunning } from '../../../../../domain/topUp/attempt.ts'
import { isWithinCeiling, type PackOnSale, topUpDecider } from '../../../../../domain/topUp/decider.ts'
import { spentInMonth, type TopUpState } from '../../../../../domain/topUp/state.ts'
import { packById } from '../../../../../projections/creditPacks/queries.ts'
import { openDisputesOf } from '../../../../../projections/disputes/queries.ts'
import { requireCompany, requireUser } from '../../access/access.ts'
import { apiError, notFound } from '../../apiError.ts'
import { type GraphqlContext, nowOf, send } from '../../context.ts'
import type { Resolvers, TopUp, TopUpAttempt, TopUpHold } from '../../generated.ts'
import { requireId } from '../../ids.ts'

/** Automatic top-up of a company: its settings and its last attempts, read from the stream that decides about them. */
export const topUps: Resolvers = {
  Query: {
    topUp: (_source, _args, context) => shownTopUp(context, requireCompany(context)),
  },

  Mutation: {
    setTopUp: async (_source, { input }, context) => {
      const companyId = requireCompany(context)
      const { userId } = requireUser(context)
      const about = { companyId, userId, at: nowOf(context) }
      const stream = streamName('topUp', companyId)
      const { thresholdCredits, packId, monthlyCeiling, removePaymentMethod } = input
      if (!input.enabled) {
        await send(context, topUpDecider, stream, { type: 'SwitchOffTopUp', ...about })
        if (removePaymentMethod) await removeMethod(context, about)
        return shownTopUp(context, companyId)
      }
      if (removePaymentMethod) {
        throw apiError('BAD_USER_INPUT', 'input: removePaymentMethod needs enabled: false')
      }
      if (thresholdCredits == null || packId == null || monthlyCeiling == null) {
        throw apiError('BAD_USER_INPUT', 'input: thresholdCredits, packId and monthlyCeiling are required if enabled')
      }
      const pack = await packOnSale(context, requireId(packId, 'credit pack'))
      if (!pack) throw notFound('credit pack', packId)
      const settings = { thresholdMicros: creditsOf(thresholdCredits), pack, monthlyCeiling: String(monthlyCeiling) }
      await send(context, topUpDecider, stream, { type: 'SetTopUp', ...about, ...settings })
      return shownTopUp(context, companyId)
    },
  },
}

/** At the payment provider first: if that fails, the method is still shown, and can be removed again. */
async function removeMethod(
  context: GraphqlContext,
  about: { readonly companyId: string; readonly userId: string; readonly at: string },
): Promise<void> {
  const stream = streamName('topUp', about.companyId)
  const { method } = await context.runtime.engines.commands.stateOf(topUpDecider, stream)
  if (!method) return
  await context.savedPayments.remove(method.methodId)
  await send(context, topUpDecider, stream, { type: 'RemoveMethod', ...about, methodId: method.methodId })
}

async function packOnSale({ runtime }: GraphqlContext, packId: string): Promise<PackOnSale | null> {
  const pack = await packById(runtime.engines.database, packId)
  if (!pack || pack.status === 'RETIRED') return null
  const { creditsMicros, price, currency } = pack
  return { packId, creditsMicros, price, currency, validDays: pack.validDays === null ? null : Number(pack.validDays) }
}

async function shownTopUp(context: GraphqlContext, companyId: string): Promise<TopUp> {
  const state = await context.runtime.engines.commands.stateOf(topUpDecider, streamName('topUp', companyId))
  const { settings, status, offReason, method, attempts } = state
  const spent = spentInMonth(state, monthOf(nowOf(context)))
  const money = (minor: bigint) => Number(majorUnits(minor.toString(), settings?.currency ?? 'usd'))
  return {
    enabled: status === 'on',
    offReason,
    hasPaymentMethod: method !== null,
    thresholdCredits: settings && creditsNumber(settings.thresholdMicros),
    packId: settings?.packId ?? null,
    monthlyCeiling: settings && money(settings.ceilingMinor),
    currency: settings?.currency ?? null,
    spentThisMonth: money(spent),
    heldBecause: await holdOf(context, companyId, state),
    attempts: attempts.map(shownAttempt),
  }
}

/** The reactor decides by the same facts, the credit pack and the disputes, when a balance falls. */
async function holdOf(context: GraphqlContext, companyId: string, state: TopUpState): Promise<TopUpHold | null> {
  const { settings, status } = state
  if (status === 'off' || !settings) return null
  const { commands, database } = context.runtime.engines
  const company = await commands.stateOf(companyDecider, streamName('company', companyId))
  if (company.status === 'registered' && company.billingMode === 'POSTPAID') return 'POSTPAID'
  if (company.status === 'registered' && company.suspension !== undefined) return 'SUSPENDED'
  if ((await openDisputesOf(database, companyId)).length > 0) return 'DISPUTED'
  const pack = await packOnSale(context, settings.packId)
  if (!pack) return 'PACK_RETIRED'
  return isWithinCeiling(state, pack, nowOf(context)) ? null : 'CEILING'
}

function shownAttempt(attempt: Attempt): TopUpAttempt {
  const { attemptId: id, status, purchaseId, currency, reason, confirmBy, startedAt, endedAt } = attempt
  return {
    ...{ id, status, purchaseId, currency, reason, startedAt, endedAt },
    credits: creditsNumber(BigInt(attempt.creditsMicros)),
    price: Number(attempt.price),
    confirmUrl: isRunning(attempt) ? attempt.confirmUrl : null,
    confirmBy: isRunning(attempt) ? confirmBy : null,
  }
}
