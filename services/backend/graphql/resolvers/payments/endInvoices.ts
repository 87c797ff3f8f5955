import { book } from '../../../../../capabilities/payments/bookings.ts'
import { invoiceFactsOf } from '../../../../../capabilities/payments/providerObjects.ts'
import { openUsageInvoices } from '../../../../../capabilities/payments/usageInvoices.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { Refusal } from '../../../../../domain/decider.ts'
import { invoiceDecider, requireReason } from '../../../../../domain/invoice/decider.ts'
import { invoices as invoicesModel } from '../../../../../projections/invoices/projection.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import { notFound } from '../../apiError.ts'
import { actorOf, changed, type GraphqlContext, nowOf } from '../../context.ts'
import type { Invoice, Resolvers } from '../../generated.ts'
import { shownInvoice } from './records.ts'

const INVOICE_ID = /^[A-Za-z0-9_-]{1,200}$/

/** Usage invoices that a super admin settles or voids by hand. */
export const endInvoices: Resolvers = {
  Mutation: {
    settleInvoice: (_source, { id, reason }, context) => endInvoice(context, id, reason, 'SETTLED'),
    voidInvoice: (_source, { id, reason }, context) => endInvoice(context, id, reason, 'VOIDED'),
  },
}

/**
 * The provider ends the invoice first, so that nothing is recorded that did not happen. If this process dies in between, the
 * provider's own event or the daily question brings the result, and a repetition records the reason.
 */
async function endInvoice(
  context: GraphqlContext,
  invoiceId: string,
  wanted: string,
  outcome: 'SETTLED' | 'VOIDED',
): Promise<Invoice> {
  const { userId: by } = requireSuperAdmin(context)
  const reason = requireReason(wanted)
  if (!INVOICE_ID.test(invoiceId)) throw notFound('invoice', invoiceId)
  const { engines, config, network, ids } = context.runtime
  const stream = streamName('invoice', invoiceId)
  const { companyId, usage } = await engines.commands.stateOf(invoiceDecider, stream)
  if (companyId === null) throw notFound('invoice', invoiceId)
  if (usage === null) {
    throw new Refusal('INVALID', `invoice ${invoiceId} is not for the usage of a postpaid company`)
  }
  const provider = openUsageInvoices(config, network)
  const invoice = await (outcome === 'SETTLED' ? provider.settle(invoiceId) : provider.void(invoiceId))
  const facts = invoiceFactsOf(invoice, null)
  const command = {
    type: 'EndUsageInvoice',
    invoiceId,
    companyId,
    outcome,
    facts,
    reason,
    by,
    at: nowOf(context),
  } as const
  const actor = actorOf(context)
  const { correlationId } = context
  const intent = { commandId: `ending:${ids.uuid()}`, correlationId, actor }
  const { events, position } = await engines.commands.handle(invoiceDecider, stream, command, intent)
  await book(engines.ledger, correlationId, actor, events)
  return shownInvoice(context, await changed(context, invoicesModel, stream, position))
}
