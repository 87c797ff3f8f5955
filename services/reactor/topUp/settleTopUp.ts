import { type CommandContext, REACTOR } from '../../../capabilities/commands/commandHandler.ts'
import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import { ownId, type PaymentEventBody } from '../../../capabilities/payments/providerObjects.ts'
import { outcomeOf, type PaymentOutcome, paymentIntentObject } from '../../../capabilities/payments/savedPayments.ts'
import { streamName } from '../../../contracts/streams.ts'
import { unexpected } from '../../../domain/decider.ts'
import { purchaseDecider } from '../../../domain/purchase/decider.ts'
import type { Attempt } from '../../../domain/topUp/attempt.ts'
import type { TopUpCommand } from '../../../domain/topUp/decider.ts'
import { type PurchaseDependencies, packBought } from '../paymentEvents/checkout.ts'
import { handleTopUp } from './handleTopUp.ts'

type AttemptIds = Pick<Attempt, 'companyId' | 'attemptId' | 'purchaseId'>

/**
 * Records what the provider says about the payment of an attempt. The ids derive from the attempt, so an answer, an event
 * and a later question about one payment lead to one grant together. The attempt ends last: until then it is repeated.
 */
export async function settleTopUp(
  parts: PurchaseDependencies,
  { companyId, attemptId, purchaseId }: AttemptIds,
  outcome: PaymentOutcome,
  at: string,
): Promise<void> {
  const about = { companyId, attemptId, at }
  const end = (command: TopUpCommand) => handleTopUp(parts, command, contextOf(attemptId, outcome))
  switch (outcome.status) {
    case 'processing':
      return
    case 'needs confirmation': {
      const { paymentIntentId, url: confirmUrl } = outcome
      return end({ type: 'AskForConfirmation', ...about, paymentIntentId, confirmUrl })
    }
    case 'succeeded': {
      const { paymentIntentId, paidMinor, currency, created } = outcome
      const paid = { id: null, invoice: null, payment_intent: paymentIntentId, metadata: null }
      const amount = { amount_total: Number(paidMinor), currency }
      await packBought(parts, { id: `topUp:${attemptId}`, created }, { ...paid, ...amount }, purchaseId)
      return end({ type: 'SucceedAttempt', ...about, paymentIntentId })
    }
    case 'declined': {
      const { paymentIntentId, reason } = outcome
      await failPurchase(parts, purchaseId, reason, contextOf(attemptId, outcome), at)
      return end({ type: 'DeclineAttempt', ...about, paymentIntentId, reason })
    }
    case 'canceled':
      return giveUp(parts, { companyId, attemptId, purchaseId }, 'the payment was not confirmed in time', at)
    default:
      return unexpected(outcome)
  }
}

/** The payment was not made and cannot be made any more. */
export async function giveUp(
  parts: Pick<PurchaseDependencies, 'commands'>,
  { companyId, attemptId, purchaseId }: AttemptIds,
  reason: string,
  at: string,
): Promise<void> {
  const context = contextOf(attemptId, { reason })
  await failPurchase(parts, purchaseId, reason, context, at)
  await handleTopUp(parts, { type: 'GiveUpAttempt', companyId, attemptId, reason, at }, context)
}

/** payment_intent.succeeded: the same as the answer, in case that was lost. */
export async function topUpPaid(
  parts: PurchaseDependencies & { readonly clock: { now(): number } },
  paymentEvent: PaymentEventBody,
): Promise<string> {
  const intent = paymentIntentObject.parse(paymentEvent.data.object)
  const attemptId = ownId(intent.metadata?.topUpAttemptId)
  const companyId = ownId(intent.metadata?.companyId)
  const purchaseId = ownId(intent.metadata?.purchaseId)
  if (!attemptId || !companyId || !purchaseId) return 'nothing: the payment is not an automatic top-up'
  const at = new Date(paymentEvent.created * 1_000).toISOString()
  await settleTopUp(parts, { companyId, attemptId, purchaseId }, outcomeOf(intent), at)
  return `top-up ${attemptId} is paid`
}

async function failPurchase(
  { commands }: Pick<PurchaseDependencies, 'commands'>,
  purchaseId: string,
  reason: string,
  context: CommandContext,
  at: string,
): Promise<void> {
  const command = { type: 'FailPurchase', purchaseId, reason, at } as const
  await commands.handle(purchaseDecider, streamName('purchase', purchaseId), command, context)
}

/** The same outcome in other words is another command, which the decider ignores once the attempt has ended. */
function contextOf(attemptId: string, outcome: object): CommandContext {
  const correlationId = `topUp:${attemptId}`
  return { commandId: deterministicId(`${correlationId}:${JSON.stringify(outcome)}`), correlationId, actor: REACTOR }
}
