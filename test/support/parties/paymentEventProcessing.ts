import type { Runtime } from '../../../capabilities/installation.ts'
import { earlierCorrectionsIn } from '../../../capabilities/payments/grantStream.ts'
import { openPaymentProvider } from '../../../capabilities/payments/paymentProvider.ts'
import { openSavedPayments } from '../../../capabilities/payments/savedPayments.ts'
import {
  type FollowedEvent,
  followPaymentEvents,
  isPaymentEventChange,
} from '../../../services/reactor/paymentEvents/followPaymentEvents.ts'
import { processPaymentEvent } from '../../../services/reactor/paymentEvents/processPaymentEvent.ts'

/** The part of a reactor that applies payment events. It stops without waiting for what it is doing, as if it had died. */
export function startPaymentEventProcessing({ config, engines, clock, log }: Runtime): () => Promise<void> {
  const stopping = new AbortController()
  const earlierCorrections = earlierCorrectionsIn(engines.database, engines.store)
  const disputesSuspend = config.DISPUTE_SUSPENDS_COMPANY
  const dependencies = {
    ...engines,
    provider: openPaymentProvider(config),
    savedPayments: openSavedPayments(config),
    clock,
    log,
    earlierCorrections,
    disputesSuspend,
  }
  const process = async (event: FollowedEvent, signal: AbortSignal) => {
    if (isPaymentEventChange(event)) await processPaymentEvent(dependencies, event, signal)
  }
  const done = followPaymentEvents({ ...engines, clock, log, process }, stopping.signal)
  return async () => {
    stopping.abort()
    await done
  }
}
