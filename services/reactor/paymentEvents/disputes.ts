import { z } from 'zod'
import { REACTOR } from '../../../capabilities/commands/commandHandler.ts'
import { bookInOrder } from '../../../capabilities/payments/bookings.ts'
import { type DisputeObject, disputeFactsOf, disputeObject } from '../../../capabilities/payments/disputeObject.ts'
import { adoptEarlierCorrections } from '../../../capabilities/payments/grantStream.ts'
import { unlessMissing } from '../../../capabilities/payments/paymentProvider.ts'
import { ownId, type PaymentEventBody, timeOf } from '../../../capabilities/payments/providerObjects.ts'
import type { DisputedPayment } from '../../../contracts/events/dispute.ts'
import { providerId } from '../../../contracts/events/payment.ts'
import { streamName } from '../../../contracts/streams.ts'
import { disputeDecider, disputedMinor, mustAsk } from '../../../domain/dispute/decider.ts'
import type { SeenDispute } from '../../../domain/disputedCredits.ts'
import { invoiceDecider } from '../../../domain/invoice/decider.ts'
import { purchaseDecider } from '../../../domain/purchase/decider.ts'
import { stopAfterReturn } from '../topUp/stopAfterReturn.ts'
import { followDisputeSuspension } from './disputeSuspension.ts'
import {
  companyOf,
  contextOf,
  type PaymentEventDependencies,
  refundIdOf,
  saidAtOf,
} from './paymentEventDependencies.ts'
import { recordWithAnswer } from './recordWithAnswer.ts'

/**
 * charge.dispute.*: each of these events describes the dispute as it is then. The newest description is recorded on the
 * stream of the dispute, and what it takes of the payment follows on the stream of the purchase or invoice.
 */
export async function disputeReported(
  dependencies: PaymentEventDependencies,
  paymentEvent: PaymentEventBody,
): Promise<string> {
  const { commands, provider } = dependencies
  const { id: disputeId } = named.parse(paymentEvent.data.object)
  const described = disputeObject.safeParse(paymentEvent.data.object)
  const dispute = described.success ? described.data : await unlessMissing(provider.dispute(disputeId))
  if (!dispute) return `nothing: dispute ${disputeId} is not known to the payment provider`
  const stream = streamName('dispute', disputeId)
  const before = await commands.stateOf(disputeDecider, stream)
  const about = before.status === 'unknown' ? await paymentOf(dependencies, dispute) : before
  if (!about) return `nothing: dispute ${disputeId} is of a payment that is not one of ours`
  const { companyId, payment } = about
  const report = { facts: disputeFactsOf(dispute), saidAt: saidAtOf(paymentEvent) }
  const { purchaseId } = payment
  if (purchaseId !== null && report.facts.status === 'LOST') {
    await stopAfterReturn(dependencies, { companyId, purchaseId, at: report.saidAt })
  }
  const command = { disputeId, companyId, payment, openedAt: timeOf(dispute.created), ...report }
  await recordWithAnswer(dependencies, paymentEvent, {
    decider: disputeDecider,
    stream,
    mustAsk: (state) => mustAsk(state, report),
    ask: async () => disputeFactsOf(await provider.dispute(disputeId)),
    command: (answer) => ({ type: 'ReportDispute' as const, ...command, answer }),
  })
  // Another event may have been recorded meanwhile. What is known now counts, in whichever order the two are carried out.
  const { state, revision } = await commands.stateWithRevision(disputeDecider, stream)
  if (state.status === 'unknown') throw new Error(`dispute ${disputeId} was recorded and is not known`)
  const { chargedMinor } = payment
  const { saidAt } = state.known
  const seen = { disputeId, report: (revision ?? 0) + 1, chargedMinor, disputedMinor: disputedMinor(state), saidAt }
  const credited = await settle(dependencies, paymentEvent, { companyId, payment, seen })
  await followDisputeSuspension(dependencies, paymentEvent, { disputeId, companyId })
  return `dispute ${disputeId} of ${credited}: ${state.known.facts.status}`
}

type About = { readonly companyId: string; readonly payment: DisputedPayment }

const named = z.object({ id: providerId })

/** The payment that is disputed; null if there is none, or if its company is not one of ours. */
async function paymentOf(
  dependencies: PaymentEventDependencies,
  { charge: chargeId, payment_intent: paymentIntentId, currency: disputed }: DisputeObject,
): Promise<About | null> {
  if (chargeId === null) return null
  const charge = await unlessMissing(dependencies.provider.charge(chargeId))
  if (!charge) return null
  const companyId = await companyOf(dependencies, charge.customer, charge.metadata)
  if (companyId === null) return null
  const purchaseId = ownId(charge.metadata?.purchaseId)
  const of = { chargeId, paymentIntentId, purchaseId, invoiceId: purchaseId === null ? charge.invoice : null }
  const currency = charge.currency ?? disputed
  return { companyId, payment: { ...of, chargedMinor: String(charge.amount), currency } }
}

/** Withdraws credits of the disputed purchase or invoice, or gives them back. Returns what was paid for. */
async function settle(
  dependencies: PaymentEventDependencies,
  paymentEvent: PaymentEventBody,
  { companyId, payment, seen: dispute }: About & { readonly seen: SeenDispute },
): Promise<string> {
  const { commands } = dependencies
  const { purchaseId, invoiceId } = payment
  // The same for every event that leads to this report. `bookCorrections.ts` books it too, in case this process dies.
  const commandId = `dispute:${dispute.disputeId}:${dispute.report}`
  const refundId = refundIdOf({ id: commandId })
  const context = { ...contextOf(paymentEvent), commandId }
  const adopt = (
    origin: { readonly purchaseId: string } | { readonly invoiceId: string; readonly companyId: string },
  ) => adoptEarlierCorrections(dependencies, origin, companyId, REACTOR, dispute.saidAt)
  if (purchaseId !== null) {
    await adopt({ purchaseId })
    const stream = streamName('purchase', purchaseId)
    const command = { type: 'DisputePurchase', purchaseId, dispute, refundId } as const
    const { events } = await commands.handle(purchaseDecider, stream, command, context)
    await bookInOrder(dependencies, stream, events)
    return `purchase ${purchaseId}`
  }
  if (invoiceId === null) return `payment ${payment.chargeId}`
  await adopt({ invoiceId, companyId })
  const stream = streamName('invoice', invoiceId)
  const command = { type: 'DisputeInvoice', invoiceId, companyId, dispute, refundId } as const
  const { events } = await commands.handle(invoiceDecider, stream, command, context)
  await bookInOrder(dependencies, stream, events)
  return `invoice ${invoiceId}`
}
