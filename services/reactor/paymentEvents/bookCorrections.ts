import { type BookingParts, bookInOrder } from '../../../capabilities/payments/bookings.ts'
import { streamOf } from '../../../capabilities/payments/grantStream.ts'
import type { Recorded } from '../../../contracts/envelope.ts'
import type { InvoiceEvent } from '../../../contracts/events/invoice.ts'
import type { PurchaseEvent } from '../../../contracts/events/purchase.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/logger/logger.ts'

const RETRY_MS = 1_000

/**
 * The commands of adjustCredits and settleInvoice, and those about disputes, which depend on what is known of the dispute. What other payment
 * events decide is booked when they are processed, which is repeated until it ends.
 */
const BOOKED_HERE = /^(adjustment|earlier corrections|dispute|ending):/

/**
 * Books a correction that a backend has decided on a purchase or an invoice, or what followed there from a dispute. The process
 * that decided it books it too, unless it crashed in between. Rejects only when the signal aborts.
 */
export async function bookCorrection(
  parts: BookingParts & { readonly clock: Clock; readonly log: Log },
  event: Recorded<PurchaseEvent | InvoiceEvent>,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log } = parts
  if (!BOOKED_HERE.test(event.metadata.causationId)) return
  for (;;) {
    try {
      await bookInOrder(parts, streamOf(event.data), [event])
      return
    } catch (error) {
      if (signal.aborted) throw error
      log.warn({ err: error, event: event.id }, 'correction of credits could not be booked, retrying')
      await clock.delay(RETRY_MS, signal)
    }
  }
}
