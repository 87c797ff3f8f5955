import type { Runtime } from '../../capabilities/installation.ts'
import {
  type ListedSince,
  type PaymentProvider,
  PaymentProviderError,
} from '../../capabilities/payments/paymentProvider.ts'
import { receivePaymentEvent } from '../../capabilities/payments/receivePaymentEvent.ts'
import type { PaymentEventType } from '../../contracts/events/paymentEvent.ts'
import { secondOfAnswer } from '../../domain/providerReport.ts'

export const DAY_SECONDS = 24 * 60 * 60

export type Parts = Pick<Runtime, 'clock' | 'log'> & {
  readonly engines: Pick<Runtime['engines'], 'database' | 'store' | 'commands' | 'personal'>
  readonly provider: Pick<
    PaymentProvider,
    'invoice' | 'charge' | 'subscription' | 'invoicesSince' | 'refundsSince' | 'sessionsSince' | 'disputesSince'
  >
  /** Identifies this process for operators. */
  readonly holder: string
  /** Ends a round early. The next one asks again from where it began. */
  readonly stopping: AbortSignal
}

/** What is known about a sweep through one kind of objects. */
export type Sweep = { readonly begunAt: string; readonly place: string | null }

/** null if the provider refuses to tell about this object, which must not keep others from being asked about. */
export async function unlessRefused<Answer>(
  { log }: Parts,
  object: string,
  ask: () => Promise<Answer>,
): Promise<Answer | null> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof PaymentProviderError && error.fault === 'request')) throw error
    log.warn({ err: error, object }, 'payment provider refuses to tell about an object')
    return null
  }
}

export function since({ begunAt, place }: Sweep, days: number): ListedSince {
  return { since: Math.floor(Date.parse(begunAt) / 1_000) - days * DAY_SECONDS, after: place }
}

/**
 * Stores an answer as the event that was not received. Its id derives from the object, what is new about it, and the day or
 * hour of the question, so that it is stored once although the read models may show it a little later.
 */
export async function report(
  parts: Parts,
  type: PaymentEventType,
  object: { readonly id: string; readonly [field: string]: unknown },
  news: string,
  askedAt: string,
  /** An answer is not older than what was known when it was asked for. */
  knownSaidAt = '',
  period: 'day' | 'hour' = 'day',
): Promise<void> {
  parts.stopping.throwIfAborted()
  const id = `asked_${object.id}_${news}_${askedAt.slice(0, period === 'day' ? 10 : 13).replaceAll(/[-T]/g, '')}`
  const created = Date.parse(secondOfAnswer(knownSaidAt, askedAt)) / 1_000
  const event = { id, type, created, data: { object } }
  const outcome = await receivePaymentEvent(parts, event, JSON.stringify(event))
  if (outcome === 'stored') parts.log.warn({ webhook: id, type }, 'payment provider was asked about a lost event')
}
