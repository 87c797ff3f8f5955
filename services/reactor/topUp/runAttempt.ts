import { REACTOR } from '../../../capabilities/commands/commandHandler.ts'
import type { LaterPayment, PaymentOutcome, SavedPayments } from '../../../capabilities/payments/savedPayments.ts'
import { streamName } from '../../../contracts/streams.ts'
import { companyDecider } from '../../../domain/company/decider.ts'
import { purchaseDecider } from '../../../domain/purchase/decider.ts'
import type { Attempt } from '../../../domain/topUp/attempt.ts'
import { topUpDecider } from '../../../domain/topUp/decider.ts'
import { runningAttempt } from '../../../domain/topUp/state.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import type { PurchaseDependencies } from '../paymentEvents/checkout.ts'
import { giveUp, settleTopUp } from './settleTopUp.ts'

/** The provider remembers idempotency keys for a day; an attempt that is older is only looked for. */
const PAYING_MS = 12 * 60 * 60 * 1_000
/** A request to the provider that has no answer yet may still become a payment for this long. */
const UNANSWERED_MS = 5 * 60 * 1_000

export type TopUpParts = Omit<PurchaseDependencies, 'savedPayments'> & {
  readonly clock: { now(): number }
  readonly savedPayments: Pick<SavedPayments, 'methodOf' | 'pay' | 'find' | 'outcome' | 'cancel'>
  readonly hasOpenDispute: (companyId: string) => Promise<boolean>
  readonly returnUrl: string
}

/** Carries the running attempt of a company on, from wherever it was left. Every step can be repeated after a crash. */
export async function runAttempt(parts: TopUpParts, companyId: string): Promise<void> {
  const { commands, savedPayments, clock } = parts
  const state = await commands.stateOf(topUpDecider, streamName('topUp', companyId))
  const attempt = runningAttempt(state)
  if (!attempt) return
  const { paymentIntentId, confirmBy } = attempt
  if (attempt.status === 'NEEDS_CONFIRMATION' && paymentIntentId !== null) {
    const outcome = await savedPayments.outcome(paymentIntentId)
    const isLate = confirmBy !== null && clock.now() >= Date.parse(confirmBy)
    const mustEnd = outcome.status === 'needs confirmation' && isLate
    await settle(parts, attempt, mustEnd ? await savedPayments.cancel(paymentIntentId) : outcome)
    return
  }
  await startPurchase(parts, attempt)
  const blocked = state.status === 'off' ? 'automatic top-up was switched off' : await whyBlocked(parts, companyId)
  const ageMs = clock.now() - Date.parse(attempt.startedAt)
  if (blocked === null && ageMs < PAYING_MS) {
    await settle(parts, attempt, await savedPayments.pay(paymentOf(parts, attempt)))
    return
  }
  // Whether the payment was made before is not known, and it must not be made now.
  const found = await savedPayments.find(paymentOf(parts, attempt))
  if (found) await settle(parts, attempt, found)
  else if (ageMs >= UNANSWERED_MS) {
    await giveUp(parts, attempt, blocked ?? 'the payment provider could not be reached', isoTime(clock.now()))
  }
}

/** Why a company must not be charged now; null if it may be. */
export async function whyBlocked(
  { commands, hasOpenDispute }: Pick<TopUpParts, 'commands' | 'hasOpenDispute'>,
  companyId: string,
): Promise<string | null> {
  const company = await commands.stateOf(companyDecider, streamName('company', companyId))
  if (company.status === 'unknown' || company.billingMode !== 'PREPAID') return 'the company is not prepaid'
  if (company.suspension !== undefined) return 'the company is suspended'
  return (await hasOpenDispute(companyId)) ? 'a payment of the company is disputed' : null
}

function settle(parts: TopUpParts, attempt: Attempt, outcome: PaymentOutcome): Promise<void> {
  return settleTopUp(parts, attempt, outcome, isoTime(parts.clock.now()))
}

async function startPurchase({ commands }: TopUpParts, attempt: Attempt): Promise<void> {
  const { purchaseId, companyId, userId, packId, creditsMicros, price, currency, validDays, startedAt } = attempt
  const bought = { purchaseId, companyId, userId, packId, creditsMicros, price, currency, validDays }
  const id = `topUp:${attempt.attemptId}`
  await commands.handle(
    purchaseDecider,
    streamName('purchase', purchaseId),
    { type: 'StartTopUpPurchase', ...bought, at: startedAt },
    { commandId: `${id}:start`, correlationId: id, actor: REACTOR },
  )
}

function paymentOf({ returnUrl }: TopUpParts, attempt: Attempt): LaterPayment {
  const { attemptId, companyId, userId, purchaseId, customerId, methodId } = attempt
  const { amountMinor, currency, startedAt } = attempt
  const ids = { attemptId, companyId, userId, purchaseId, customerId, methodId }
  return { ...ids, amountMinor, currency, startedAt, returnUrl: `${returnUrl}?outcome=paid` }
}
