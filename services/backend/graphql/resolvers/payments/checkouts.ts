import {
  type CheckoutPage,
  type CheckoutRequest,
  PaymentProviderError,
} from '../../../../../capabilities/payments/paymentProvider.ts'
import { subscriptionFactsOf } from '../../../../../capabilities/payments/providerObjects.ts'
import { returnUrlOf } from '../../../../../capabilities/payments/returnUrl.ts'
import { SAVE_METHOD } from '../../../../../capabilities/payments/savedPayments.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { companyDecider } from '../../../../../domain/company/decider.ts'
import { purchaseDecider } from '../../../../../domain/purchase/decider.ts'
import { isActive } from '../../../../../domain/subscription/decider.ts'
import { packById } from '../../../../../projections/creditPacks/queries.ts'
import { planById } from '../../../../../projections/plans/queries.ts'
import { purchases as purchasesModel } from '../../../../../projections/purchases/projection.ts'
import { requireCompany, requireUser } from '../../access/access.ts'
import { apiError, notFound } from '../../apiError.ts'
import { change, type GraphqlContext, nowOf, send } from '../../context.ts'
import type { Checkout, Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'
import { PartlyDone } from '../../maskError.ts'
import { presentSubscription } from './presentSubscription.ts'

/** A checkout page of the payment provider for a pack or a plan. */
export const checkouts: Resolvers = {
  Mutation: {
    createCheckout: (_source, { input }, context) => {
      const companyId = requireCompany(context)
      const { packId, planId } = input
      const savesMethod = input.savePaymentMethod ?? false
      if (packId && !planId) return buyPack(context, companyId, requireId(packId, 'credit pack'), savesMethod)
      if (savesMethod)
        throw apiError('BAD_USER_INPUT', 'input.savePaymentMethod: only the checkout of a pack saves one')
      if (planId && !packId) return subscribe(context, companyId, requireId(planId, 'plan'))
      throw apiError('BAD_USER_INPUT', 'input: give either packId or planId')
    },
  },
}

/**
 * The page is opened first, so that a checkout that fails leaves no purchase. It cannot be paid before the purchase is
 * stored, because its URL is not known until then; a page whose URL is lost expires at the provider.
 */
async function buyPack(
  context: GraphqlContext,
  companyId: string,
  packId: string,
  savesMethod: boolean,
): Promise<Checkout> {
  const pack = await packById(context.runtime.engines.database, packId)
  if (!pack || pack.status === 'RETIRED') throw notFound('credit pack', packId)
  const priceId = requirePrice(pack.providerPriceId, 'credit pack', packId)
  const purchaseId = context.runtime.ids.uuid()
  const { userId } = requireUser(context)
  const metadata = { companyId, userId, purchaseId, packId, ...(savesMethod ? SAVE_METHOD : {}) }
  const { sessionId, url, expiresAt } = await openPage(context, companyId, (customerId) =>
    context.payments.openPackCheckout(
      requestOf(context, { priceId, customerId, metadata, idempotencyKey: purchaseId }),
    ),
  )
  const { creditsMicros, price, currency } = pack
  const validDays = pack.validDays === null ? null : Number(pack.validDays)
  const bought = { packId, creditsMicros, price, currency, validDays }
  const purchase = { purchaseId, companyId, userId, ...bought, sessionId, expiresAt }
  const command = { type: 'StartPurchase', ...purchase, at: nowOf(context) } as const
  await change(context, purchasesModel, purchaseDecider, streamName('purchase', purchaseId), command).catch(
    (error: unknown) => {
      throw new PartlyDone(
        `nothing is charged; if purchase ${purchaseId} appears as PENDING, it will expire; check out again`,
        error,
      )
    },
  )
  return { id: sessionId, url, purchaseId }
}

async function subscribe(context: GraphqlContext, companyId: string, planId: string): Promise<Checkout> {
  const { database } = context.runtime.engines
  const plan = await planById(database, planId)
  if (!plan?.active) throw notFound('plan', planId)
  const priceId = requirePrice(plan.providerPriceId, 'plan', planId)
  const present = await presentSubscription(context, companyId)
  if (present && isActive(subscriptionFactsOf(present.object).status)) {
    const running = `the company has the subscription ${present.object.id}`
    throw apiError('BAD_USER_INPUT', `${running}; change its plan with changePlan(planId: "${planId}")`)
  }
  const metadata = { companyId, userId: requireUser(context).userId, planId }
  const idempotencyKey = context.runtime.ids.uuid()
  const page = await openPage(context, companyId, (customerId) =>
    context.payments.openPlanCheckout(requestOf(context, { priceId, customerId, metadata, idempotencyKey })),
  )
  return { id: page.sessionId, url: page.url, purchaseId: null }
}

function requirePrice(priceId: string | null, what: string, id: string): string {
  if (priceId === null) throw apiError('BAD_USER_INPUT', `${what} ${id} has no price at the payment provider`)
  return priceId
}

function requestOf({ runtime }: GraphqlContext, request: Omit<CheckoutRequest, 'returnUrl'>): CheckoutRequest {
  const returnUrl = returnUrlOf(runtime.config)
  // The provider accepts an idempotency key for one set of parameters only; a new customer changes them.
  return { ...request, idempotencyKey: `${request.idempotencyKey}:${request.customerId}`, returnUrl }
}

/** The company's customer at the provider, created at the first checkout, or again if the provider no longer has it. */
async function openPage(
  context: GraphqlContext,
  companyId: string,
  open: (customerId: string) => Promise<CheckoutPage>,
): Promise<CheckoutPage> {
  const known = await customerOf(context, companyId)
  const customerId = known ?? (await newCustomer(context, companyId, null))
  return open(customerId).catch(async (error: unknown) => {
    if (!(error instanceof PaymentProviderError && error.param === 'customer')) throw error
    return open(await newCustomer(context, companyId, customerId))
  })
}

async function customerOf({ runtime }: GraphqlContext, companyId: string): Promise<string | null> {
  const company = await runtime.engines.commands.stateOf(companyDecider, streamName('company', companyId))
  return (company.status === 'registered' && company.customerId) || null
}

async function newCustomer(context: GraphqlContext, companyId: string, replaces: string | null): Promise<string> {
  const customerId = await context.payments.createCustomer(companyId, replaces)
  const command = { type: 'AssignPaymentCustomer', companyId, customerId, replaces, at: nowOf(context) } as const
  await send(context, companyDecider, streamName('company', companyId), command)
  return customerId
}
