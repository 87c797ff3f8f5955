import type { Runtime } from '../../../capabilities/installation.ts'
import { earlierCorrectionsIn } from '../../../capabilities/payments/grantStream.ts'
import { openPaymentProvider } from '../../../capabilities/payments/paymentProvider.ts'
import {
  type FollowedEvent,
  followWebhooks,
  isWebhookEvent,
} from '../../../services/reactor/webhooks/followWebhooks.ts'
import { processWebhook } from '../../../services/reactor/webhooks/processWebhook.ts'

/** The part of a reactor that applies webhooks. It stops without waiting for what it is doing, as if it had died. */
export function startWebhookProcessing({ config, engines, clock, log }: Runtime): () => Promise<void> {
  const stopping = new AbortController()
  const earlierCorrections = earlierCorrectionsIn(engines.database, engines.store)
  const dependencies = { ...engines, provider: openPaymentProvider(config), clock, log, earlierCorrections }
  const process = async (event: FollowedEvent, signal: AbortSignal) => {
    if (isWebhookEvent(event)) await processWebhook(dependencies, event, signal)
  }
  const done = followWebhooks({ ...engines, clock, log, process }, stopping.signal)
  return async () => {
    stopping.abort()
    await done
  }
}
