import { rowsOf } from '../database/rows.ts'
import type { PaymentParty } from '../parties/payments/paymentParty.ts'
import type { Simulation } from '../simulation.ts'
import type { Condition } from '../world.ts'
import { shareOf } from './disputes.ts'
import { disputesMissing } from './disputesKnown.ts'

/**
 * Events are up to 25 s late. Then the questions become due, which reactors look for every minute, and their answers are
 * applied at once.
 */
const ASKED_WITHIN_MS = 100_000

/**
 * What was paid, refunded, disputed and voided at the payment provider is known here, though events were lost: each payment
 * granted its credits once, and each refund and dispute took its share of them back, rounded down.
 */
export function providerKnown(simulation: Simulation, party: PaymentParty): Condition {
  const { pglite, server } = simulation
  return {
    name: 'the payment provider is followed',
    withinMs: ASKED_WITHIN_MS,
    missing: () => {
      if (!server.isFree) return `a transaction is open: ${server.describe()}`
      const { pending } = party.deliveries
      if (pending > 0) return `${pending} payment events are not delivered`
      return (
        unprocessed() ?? packsMissing() ?? invoicesMissing() ?? subscriptionsMissing() ?? disputesMissing(pglite, party)
      )
    },
  }

  function unprocessed(): string | null {
    const [first, ...others] = rowsOf(
      pglite,
      `select stream, type from (select distinct on (stream) stream, type from event_store.events
         where stream like 'webhook-%' order by stream, revision desc) as last
       where type <> 'WebhookProcessed'`,
    )
    return first ? `${first[0]} and ${others.length} other events end with ${first[1]}` : null
  }

  function packsMissing(): string | null {
    // A person may have corrected what was granted or taken back; then the share of a refund is that of the rest.
    const corrected = new Set(
      rowsOf(
        pglite,
        `select data->>'purchaseId' from event_store.events
         where type = 'PurchaseCreditsCorrected' and data->>'adjustedBy' is not null`,
      ).map(([id]) => id),
    )
    const rows = new Map(
      rowsOf(pglite, 'select purchase_id, status, credits_micros, refunded_micros from read_models.purchases').map(
        ([id, ...facts]) => [id, facts],
      ),
    )
    for (const { id, mode, status, metadata, payment_intent } of party.state.all('checkoutSession')) {
      if (mode !== 'payment' || status !== 'complete') continue
      const [shown, credits, takenBack] = rows.get(metadata.purchaseId ?? '') ?? []
      if (shown !== 'COMPLETED') return `session ${id} is paid, its purchase ${metadata.purchaseId} is ${shown}`
      if (corrected.has(metadata.purchaseId ?? '')) continue
      const charge = party.state.all('charge').find((one) => one.payment_intent === payment_intent)
      const expected = charge
        ? shareOf(BigInt(credits ?? 0), BigInt(charge.amount_refunded), BigInt(charge.amount))
        : 0n
      if (takenBack !== String(expected)) {
        return `purchase ${metadata.purchaseId} has ${takenBack} taken back instead of ${expected}`
      }
    }
    return null
  }

  function invoicesMissing(): string | null {
    const rows = new Map(
      rowsOf(pglite, 'select invoice_id, status from read_models.invoices').map(([id, s]) => [id, s]),
    )
    for (const { id, status } of party.state.all('invoice')) {
      const shown = rows.get(id)
      if (!SHOWN_AS[status]?.includes(shown ?? null)) return `invoice ${id} is ${status}, and is shown as ${shown}`
    }
    return null
  }

  /** No question makes up for a lost event of a subscription. */
  function subscriptionsMissing(): string | null {
    if (party.deliveries.lost.size > 0) return null
    const rows = new Map(
      rowsOf(pglite, 'select subscription_id, status from read_models.subscriptions').map(([id, s]) => [id, s]),
    )
    for (const { id, status } of party.state.all('subscription')) {
      const shown = rows.get(id)
      if (shown !== status.toUpperCase()) return `subscription ${id} is ${status}, and is shown as ${shown}`
    }
    return null
  }
}

/** A draft is not reported, unless it could not be finalized. */
const SHOWN_AS: Readonly<Record<string, readonly (string | null)[]>> = {
  draft: [null, 'DRAFT', 'FINALIZATION_FAILED'],
  open: ['OPEN', 'PAYMENT_FAILED', 'ACTION_REQUIRED'],
  paid: ['PAID'],
  void: ['VOID'],
  uncollectible: ['UNCOLLECTIBLE'],
}
