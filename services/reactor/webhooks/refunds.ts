import { streamName } from '../../../contracts/streams.ts'
import { invoiceDecider } from '../../../domain/invoice/decider.ts'
import { purchaseDecider } from '../../../domain/purchase/decider.ts'
import { chargeObject, ownId, type WebhookBody } from '../../platform/payments/providerObjects.ts'
import { book } from './bookings.ts'
import {
  companyOf,
  contextOf,
  NOT_OURS,
  refundIdOf,
  saidAtOf,
  type WebhookDependencies,
} from './webhookDependencies.ts'

/** charge.refunded: takes back the credits of a pack or of a subscription's invoice in proportion to the refund. */
export async function chargeRefunded(dependencies: WebhookDependencies, webhook: WebhookBody): Promise<string> {
  const charge = chargeObject.parse(webhook.data.object)
  const refund = { chargedMinor: String(charge.amount), refundedMinor: String(charge.amount_refunded) }
  const about = { refund, refundId: refundIdOf(webhook), saidAt: saidAtOf(webhook) }
  const purchaseId = ownId(charge.metadata?.purchaseId)
  if (purchaseId) {
    const { events } = await dependencies.commands.handle(
      purchaseDecider,
      streamName('purchase', purchaseId),
      { type: 'RefundPurchase', purchaseId, ...about },
      contextOf(webhook),
    )
    await book(dependencies, webhook, events)
    return `a refund of purchase ${purchaseId}`
  }
  const invoiceId = charge.invoice
  if (!invoiceId) return 'nothing: the charge is neither for a purchase nor for an invoice of ours'
  const stream = streamName('invoice', invoiceId)
  const known = await dependencies.commands.stateOf(invoiceDecider, stream)
  const companyId = known.companyId ?? (await companyOf(dependencies, charge.customer, charge.metadata))
  if (!companyId) return NOT_OURS
  const command = { type: 'RefundInvoice', invoiceId, companyId, ...about } as const
  const { events } = await dependencies.commands.handle(invoiceDecider, stream, command, contextOf(webhook))
  await book(dependencies, webhook, events)
  return `a refund of invoice ${invoiceId}`
}
