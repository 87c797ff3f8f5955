import { REACTOR } from '../../../capabilities/commands/commandHandler.ts'
import { bookInOrder } from '../../../capabilities/payments/bookings.ts'
import { adoptEarlierCorrections } from '../../../capabilities/payments/grantStream.ts'
import {
  type ChargeObject,
  chargeObject,
  ownId,
  type PaymentEventBody,
  refundObject,
} from '../../../capabilities/payments/providerObjects.ts'
import { streamName } from '../../../contracts/streams.ts'
import { mustAskAboutRefund } from '../../../domain/grantedCreditsDecisions.ts'
import { invoiceDecider } from '../../../domain/invoice/decider.ts'
import { purchaseDecider } from '../../../domain/purchase/decider.ts'
import type { RefundSoFar } from '../../../domain/refund.ts'
import { stopAfterReturn } from '../topUp/stopAfterReturn.ts'
import { companyOf, NOT_OURS, type PaymentEventDependencies, refundIdOf, saidAtOf } from './paymentEventDependencies.ts'
import { recordWithAnswer } from './recordWithAnswer.ts'

/** charge.refunded: takes back the credits of a pack or of a subscription's invoice in proportion to the refund. */
export function chargeRefunded(
  dependencies: PaymentEventDependencies,
  paymentEvent: PaymentEventBody,
): Promise<string> {
  const charge = chargeObject.parse(paymentEvent.data.object)
  return recordRefund(dependencies, paymentEvent, charge, refundOf(charge))
}

/** The events of a single refund, which may have failed: they do not say what is refunded of its charge in all. */
export async function refundReported(
  dependencies: PaymentEventDependencies,
  paymentEvent: PaymentEventBody,
): Promise<string> {
  const { id, charge: chargeId } = refundObject.parse(paymentEvent.data.object)
  if (!chargeId) return `nothing: refund ${id} is not of a charge`
  return recordRefund(dependencies, paymentEvent, await dependencies.provider.charge(chargeId), null)
}

function refundOf({ amount, amount_refunded }: ChargeObject): RefundSoFar {
  return { chargedMinor: String(amount), refundedMinor: String(amount_refunded) }
}

/** `refund` is null if the event does not say it, so that the provider is asked. */
async function recordRefund(
  dependencies: PaymentEventDependencies,
  paymentEvent: PaymentEventBody,
  charge: ChargeObject,
  refund: RefundSoFar | null,
): Promise<string> {
  const { commands, provider } = dependencies
  const about = { refund, refundId: refundIdOf(paymentEvent), saidAt: saidAtOf(paymentEvent) }
  const ask = async () => refundOf(await provider.charge(charge.id))
  const purchaseId = ownId(charge.metadata?.purchaseId)
  if (purchaseId) {
    const stream = streamName('purchase', purchaseId)
    const isWhole = charge.amount_refunded >= charge.amount
    const known = await commands.stateOf(purchaseDecider, stream)
    if (known.status !== 'unknown') {
      if (isWhole) await stopAfterReturn(dependencies, { purchaseId, companyId: known.companyId, at: about.saidAt })
      await adoptEarlierCorrections(dependencies, { purchaseId }, known.companyId, REACTOR, about.saidAt)
    }
    const { events } = await recordWithAnswer(dependencies, paymentEvent, {
      decider: purchaseDecider,
      stream,
      mustAsk: (state) => state.status !== 'unknown' && mustAskAboutRefund(state.granted, about),
      ask,
      command: (answer) => ({ type: 'RefundPurchase' as const, purchaseId, ...about, answer }),
    })
    await bookInOrder(dependencies, stream, events)
    return `a refund of purchase ${purchaseId}`
  }
  const invoiceId = charge.invoice
  if (!invoiceId) return 'nothing: the charge is neither for a purchase nor for an invoice of ours'
  const stream = streamName('invoice', invoiceId)
  const known = await commands.stateOf(invoiceDecider, stream)
  const companyId = known.companyId ?? (await companyOf(dependencies, charge.customer, charge.metadata))
  if (!companyId) return NOT_OURS
  await adoptEarlierCorrections(dependencies, { invoiceId, companyId }, companyId, REACTOR, about.saidAt)
  const { events } = await recordWithAnswer(dependencies, paymentEvent, {
    decider: invoiceDecider,
    stream,
    mustAsk: (state) => mustAskAboutRefund(state.granted, about),
    ask,
    command: (answer) => ({ type: 'RefundInvoice' as const, invoiceId, companyId, ...about, answer }),
  })
  await bookInOrder(dependencies, stream, events)
  return `a refund of invoice ${invoiceId}`
}
