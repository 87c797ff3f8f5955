import { REACTOR } from '../../capabilities/commands/commandHandler.ts'
import type { Runtime } from '../../capabilities/installation.ts'
import type { PaymentProvider } from '../../capabilities/payments/paymentProvider.ts'
import type { RetrievedSession } from '../../capabilities/payments/providerObjects.ts'
import { streamName } from '../../contracts/streams.ts'
import { purchaseDecider } from '../../domain/purchase/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { Pauses } from '../../platform/clock/pauses.ts'
import type { PurchaseRow } from '../../projections/purchases/projection.ts'
import { endedPurchases } from '../../projections/purchases/queries.ts'
import { type PurchaseDependencies, packBought } from './paymentEvents/checkout.ts'

const PURCHASES_PER_ROUND = 20
/** The provider closes a session a little after its expiry, and its clock differs from ours. */
const GRACE_MS = 60_000
/** The delay before the provider is queried again about a session that is not closed yet or could not be queried. */
const ASK_AGAIN_MS = 10 * 60_000
const REBOOKED_MS = 24 * 60 * 60_000
const REASON_CHARS_MAX = 300

type Parts = Pick<Runtime, 'engines' | 'clock' | 'log'> & {
  readonly provider: Pick<PaymentProvider, 'checkoutSession' | 'invoice'>
  readonly savedPayments: PurchaseDependencies['savedPayments']
}

/**
 * Ends purchases whose checkout session has expired. The provider sends no payment events for expired sessions, so it is
 * queried: the purchase fails or expires, or it is completed if the event of its payment was lost.
 */
export function createPurchaseEnding(parts: Parts): () => Promise<void> {
  const { engines, clock, log } = parts
  const pauses = new Pauses({ nowMs: () => clock.now(), doneMs: ASK_AGAIN_MS, failedMs: ASK_AGAIN_MS })
  return async () => {
    const nowMs = clock.now()
    const rows = await endedPurchases(engines.database, {
      now: isoTime(nowMs - GRACE_MS),
      since: isoTime(nowMs - REBOOKED_MS),
      except: pauses.ids(),
      limit: PURCHASES_PER_ROUND,
    })
    for (const row of rows) {
      const about = { purchaseId: row.purchaseId }
      await pauses.attempt(
        row.purchaseId,
        async () => {
          const effect = await endPurchase(parts, row)
          if (!effect) return ASK_AGAIN_MS
          log.info({ ...about, effect }, 'purchase ended after its checkout session had expired')
          return REBOOKED_MS
        },
        (error) => log.warn({ err: error, ...about }, 'expired purchase could not be ended, retrying later'),
      )
    }
  }
}

/** The outcome of the purchase; null if the provider does not know it yet. */
async function endPurchase({ engines, provider, savedPayments }: Parts, row: PurchaseRow): Promise<string | null> {
  const { purchaseId, sessionId, expiresAt } = row
  if (sessionId === null || expiresAt === null) return null
  const session = await provider.checkoutSession(sessionId)
  if (session && isPaid(session)) {
    // The same cause at each attempt, so that an attempt after a crash books what the one before it decided.
    const cause = { id: `session:${sessionId}`, created: Math.floor(Date.parse(expiresAt) / 1_000) }
    const paid = { ...session, payment_intent: session.payment_intent?.id ?? null }
    return packBought({ ...engines, provider, savedPayments }, cause, paid, purchaseId)
  }
  if (session && session.status !== 'expired') return null
  const reason = session ? failureOf(session) : 'the payment provider does not know the checkout session'
  const at = expiresAt
  await engines.commands.handle(
    purchaseDecider,
    streamName('purchase', purchaseId),
    reason === null ? { type: 'ExpirePurchase', purchaseId, at } : { type: 'FailPurchase', purchaseId, reason, at },
    { commandId: `end:${purchaseId}`, correlationId: `end:${purchaseId}`, actor: REACTOR },
  )
  return reason ?? 'expired'
}

function isPaid({ status, payment_status }: RetrievedSession): boolean {
  return status === 'complete' && (payment_status === 'paid' || payment_status === 'no_payment_required')
}

/** null if no payment was tried. */
function failureOf({ payment_intent: intent }: RetrievedSession): string | null {
  if (!intent?.last_payment_error) return null
  return (intent.last_payment_error.message || 'the payment was declined').slice(0, REASON_CHARS_MAX)
}
