import { openPaymentProvider } from '../platform/payments/paymentProvider.ts'
import type { Runtime } from '../platform/runtime.ts'
import type { RunningService } from '../platform/service.ts'
import { expireKeys } from './expireKeys.ts'
import { pricePacks } from './pricePacks.ts'
import { followWebhooks } from './webhooks/followWebhooks.ts'
import { processWebhook } from './webhooks/processWebhook.ts'

const ROUND_MS = 1_000

/** Policies: what follows from what happened, or from time passing, sent as commands. */
export async function startReactor(
  runtime: Pick<Runtime, 'config' | 'engines' | 'clock' | 'log'>,
): Promise<RunningService> {
  const { config, engines, clock, log } = runtime
  const provider = openPaymentProvider(config)
  const stopping = new AbortController()
  const rounds = async () => {
    while (!stopping.signal.aborted) {
      await expireKeys(runtime).catch((error: unknown) => log.warn({ err: error }, 'keys could not be expired now'))
      await pricePacks(runtime, provider).catch((error: unknown) =>
        log.warn({ err: error }, 'credit packs could not be priced now'),
      )
      await clock.delay(ROUND_MS, stopping.signal)
    }
  }
  const parts = { ...engines, provider, clock, log }
  const process = (event: Parameters<typeof processWebhook>[1], signal: AbortSignal) =>
    processWebhook(parts, event, signal)
  const running = Promise.all([rounds(), followWebhooks({ ...engines, clock, log, process }, stopping.signal)])
  return {
    name: 'reactor',
    url: null,
    drain: async () => {
      stopping.abort()
      await running
    },
  }
}
