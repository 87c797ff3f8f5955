import type { InvoiceLine as LineData } from '../../../../../contracts/events/postpaid.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { creditsNumber } from '../../../../../domain/credits.ts'
import { isOverdue } from '../../../../../domain/invoice/decider.ts'
import { majorUnits } from '../../../../../domain/price.ts'
import { subscriptionDecider } from '../../../../../domain/subscription/decider.ts'
import { type InvoiceRow, linesOf } from '../../../../../projections/invoices/projection.ts'
import { invoicesOf } from '../../../../../projections/invoices/queries.ts'
import type { PurchaseRow } from '../../../../../projections/purchases/projection.ts'
import { purchasesOf } from '../../../../../projections/purchases/queries.ts'
import {
  type SubscriptionRow,
  subscriptions as subscriptionsModel,
} from '../../../../../projections/subscriptions/projection.ts'
import {
  announcedRenewals,
  staleSubscriptions,
  subscriptionOf,
  subscriptionsOf,
} from '../../../../../projections/subscriptions/queries.ts'
import { requireCompany, requireSuperAdmin } from '../../access/access.ts'
import { change, type GraphqlContext, nowOf } from '../../context.ts'
import type { CreditPackPurchase, Invoice, InvoiceLine, Resolvers } from '../../generated.ts'
import { PartlyDone } from '../../maskError.ts'
import { LIST_ROWS_MAX } from '../../paging.ts'
import { shownSubscription } from './shownSubscription.ts'

/** Purchases, subscriptions and invoices of a company. */
export const paymentRecords: Resolvers = {
  Query: {
    subscription: async (_source, _args, context) => {
      const row = await subscriptionOf(context.runtime.engines.database, requireCompany(context))
      return row && shownSubscription(row)
    },
    subscriptions: async (_source, _args, context) => {
      const rows = await subscriptionsOf(context.runtime.engines.database, requireCompany(context), LIST_ROWS_MAX)
      return rows.map(shownSubscription)
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
    deactivateStaleSubscriptions: async (_source, { before, dryRun }, context) => {
      requireSuperAdmin(context)
      const rows = await staleSubscriptions(context.runtime.engines.database, before, LIST_ROWS_MAX)
      if (dryRun ?? true) return rows.map(shownSubscription)
      const deactivated: SubscriptionRow[] = []
      for (const { subscriptionId } of rows) {
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

function shownPurchase(row: PurchaseRow): CreditPackPurchase {
  const { purchaseId: id, packId, status, currency, failureReason, expiresAt, startedAt, completedAt } = row
  return {
    ...{ id, packId, status, currency, failureReason, expiresAt, createdAt: startedAt, completedAt },
    credits: creditsNumber(BigInt(row.creditsMicros)),
    price: Number(row.price),
    creditsRefunded: creditsNumber(BigInt(row.refundedMicros)),
  }
}

export function shownInvoice({ runtime }: GraphqlContext, row: InvoiceRow): Invoice {
  const { invoiceId: id, providerInvoiceId, status, currency, dueAt, paidAt, payUrl: hostedUrl, pdfUrl, month } = row
  return {
    ...{ id, providerInvoiceId, status, currency, dueDate: dueAt, paidAt, hostedUrl, pdfUrl, month },
    amount: Number(majorUnits(row.amountMinor, currency)),
    overdue: isOverdue({ status, dueAt }, runtime.clock.now()),
    lines: linesOf(row).map((line) => shownLine(line, currency)),
    createdAt: row.issuedAt ?? '',
  }
}

function shownLine({ creditsMicros, amountMinor, ...line }: LineData, currency: string): InvoiceLine {
  const isNegative = amountMinor.startsWith('-')
  const amount = Number(majorUnits(isNegative ? amountMinor.slice(1) : amountMinor, currency))
  const credits = creditsNumber(BigInt(creditsMicros))
  return { ...line, credits, amountMicros: creditsMicros, amount: isNegative ? -amount : amount }
}

/** The next invoice of a running subscription, once the provider has announced it and until it is billed. */
function upcoming(row: SubscriptionRow): Invoice[] {
  const { renewsAt, renewalMinor: minor, renewalCurrency: currency, renewalSaidAt: saidAt } = row
  if (renewsAt === null || minor === null || currency === null || saidAt === null) return []
  return [
    {
      id: `upcoming_${row.subscriptionId}`,
      providerInvoiceId: null,
      status: 'UPCOMING',
      amount: Number(majorUnits(minor, currency)),
      currency,
      dueDate: renewsAt,
      paidAt: null,
      overdue: false,
      hostedUrl: null,
      pdfUrl: null,
      month: null,
      lines: [],
      createdAt: saidAt,
    },
  ]
}
