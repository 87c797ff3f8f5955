import { streamName } from '../../../../contracts/streams.ts'
import { creditsNumber } from '../../../../domain/credits.ts'
import { isOverdue } from '../../../../domain/invoice/decider.ts'
import { majorUnits } from '../../../../domain/price.ts'
import { isActive, subscriptionDecider } from '../../../../domain/subscription/decider.ts'
import type { InvoiceRow } from '../../../../projections/invoices/projection.ts'
import { invoicesOf } from '../../../../projections/invoices/queries.ts'
import type { PurchaseRow } from '../../../../projections/purchases/projection.ts'
import { purchasesOf } from '../../../../projections/purchases/queries.ts'
import {
  type SubscriptionRow,
  subscriptions as subscriptionsModel,
} from '../../../../projections/subscriptions/projection.ts'
import { announcedRenewals, staleSubscriptions, subscriptionOf } from '../../../../projections/subscriptions/queries.ts'
import { StaleBasis } from '../../../platform/commands/commandHandler.ts'
import { subscriptionFactsOf } from '../../../platform/payments/providerObjects.ts'
import { requireCompany, requireSuperAdmin } from '../access.ts'
import { apiError } from '../apiError.ts'
import { change, type GraphqlContext, nowOf } from '../context.ts'
import type { CreditPackPurchase, Invoice, Resolvers, Subscription } from '../generated.ts'
import { PartlyDone } from '../maskError.ts'
import { LIST_ROWS_MAX } from '../paging.ts'

/** Each time that an answer came too late, an event of the subscription was recorded. */
const QUESTIONS_MAX = 5

/** Purchases, subscriptions and invoices of a company. */
export const paymentRecords: Resolvers = {
  Query: {
    subscription: async (_source, _args, context) => {
      const row = await subscriptionOf(context.runtime.engines.database, requireCompany(context))
      return row && shownSubscription(row)
    },
    purchases: async (_source, _args, context) => {
      const rows = await purchasesOf(context.runtime.engines.database, requireCompany(context), LIST_ROWS_MAX)
      return rows.map(shownPurchase)
    },
    invoices: async (_source, _args, context) => {
      const companyId = requireCompany(context)
      const { database } = context.runtime.engines
      // Read in this order: an invoice that arrives in between must not be listed beside its announcement.
      const rows = await invoicesOf(database, companyId, LIST_ROWS_MAX)
      const renewals = await announcedRenewals(database, companyId, nowOf(context))
      return [...renewals.flatMap(upcoming), ...rows.map((row) => shownInvoice(context, row))]
    },
  },

  Mutation: {
    cancelSubscription: async (_source, _args, context) => {
      const row = await subscriptionOf(context.runtime.engines.database, requireCompany(context))
      if (!row || row.status === 'CANCELED') throw apiError('NOT_FOUND', 'there is no subscription to cancel')
      const subscriptionId = row.subscription_id
      return shownSubscription(await canceledAtPeriodEnd(context, subscriptionId))
    },

    deactivateStaleSubscriptions: async (_source, { before, dryRun }, context) => {
      requireSuperAdmin(context)
      const rows = await staleSubscriptions(context.runtime.engines.database, before, LIST_ROWS_MAX)
      if (dryRun ?? true) return rows.map(shownSubscription)
      const deactivated: SubscriptionRow[] = []
      for (const { subscription_id: subscriptionId } of rows) {
        const command = { type: 'DeactivateSubscription', subscriptionId, at: nowOf(context) } as const
        const stream = streamName('subscription', subscriptionId)
        const row = await change(context, subscriptionsModel, subscriptionDecider, stream, command).catch(
          (error: unknown) => {
            const done = `${deactivated.length} of ${rows.length} subscriptions were deactivated`
            throw new PartlyDone(`${done}; call deactivateStaleSubscriptions again for the others`, error)
          },
        )
        deactivated.push(row)
      }
      return deactivated.map(shownSubscription)
    },
  },
}

/**
 * Ends the subscription at the provider and records its answer. If an event of the provider was recorded meanwhile, the answer
 * may be older than that event, so the provider is asked again.
 */
async function canceledAtPeriodEnd(context: GraphqlContext, subscriptionId: string): Promise<SubscriptionRow> {
  const { payments, correlationId, runtime } = context
  const stream = streamName('subscription', subscriptionId)
  for (let question = 1; ; question++) {
    const { revision } = await runtime.engines.commands.stateWithRevision(subscriptionDecider, stream)
    const askedAt = nowOf(context)
    const object =
      question === 1
        ? await payments.cancelAtPeriodEnd(subscriptionId, `cancel:${correlationId}`)
        : await payments.subscription(subscriptionId)
    const answer = { facts: subscriptionFactsOf(object), askedAt }
    const command = { type: 'RecordAnswer', subscriptionId, answer } as const
    try {
      return await change(context, subscriptionsModel, subscriptionDecider, stream, command, { basedOn: revision })
    } catch (error) {
      if (error instanceof StaleBasis && question < QUESTIONS_MAX) continue
      throw new PartlyDone(
        'the subscription will end with its period, which shows here when the payment provider reports it',
        error,
      )
    }
  }
}

function shownSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.subscription_id,
    status: row.status,
    isActive: isActive(row.status),
    planId: row.plan_id,
    providerSubscriptionId: row.subscription_id,
    startDate: row.started_at,
    endDate: row.ended_at,
    trialEnd: row.trial_end_at,
    cancelAtPeriodEnd: row.cancel_at_period_end,
    currentPeriodEnd: row.period_end_at,
    updatedAt: row.updated_at,
  }
}

function shownPurchase(row: PurchaseRow): CreditPackPurchase {
  return {
    id: row.purchase_id,
    packId: row.pack_id,
    status: row.status,
    credits: creditsNumber(BigInt(row.credits_micros)),
    price: Number(row.price),
    currency: row.currency,
    creditsRefunded: creditsNumber(BigInt(row.refunded_micros)),
    failureReason: row.failure_reason,
    expiresAt: row.expires_at,
    createdAt: row.started_at,
    completedAt: row.completed_at,
  }
}

function shownInvoice({ runtime }: GraphqlContext, row: InvoiceRow): Invoice {
  const { status, due_at: dueAt } = row
  return {
    id: row.invoice_id,
    providerInvoiceId: row.provider_invoice_id,
    status,
    amount: Number(majorUnits(row.amount_minor, row.currency)),
    currency: row.currency,
    dueDate: dueAt,
    paidAt: row.paid_at,
    overdue: isOverdue({ status, dueAt }, runtime.clock.now()),
    createdAt: row.issued_at ?? '',
  }
}

/** The next invoice of a running subscription, once the provider has announced it and until it is billed. */
function upcoming(row: SubscriptionRow): Invoice[] {
  const { renews_at: renewsAt, renewal_minor: minor, renewal_currency: currency, renewal_said_at: saidAt } = row
  if (renewsAt === null || minor === null || currency === null || saidAt === null) return []
  return [
    {
      id: `upcoming_${row.subscription_id}`,
      providerInvoiceId: null,
      status: 'UPCOMING',
      amount: Number(majorUnits(minor, currency)),
      currency,
      dueDate: renewsAt,
      paidAt: null,
      overdue: false,
      createdAt: saidAt,
    },
  ]
}
