import Stripe from 'stripe'
import { PaymentProvider } from '../../services/platform/payments/paymentProvider.ts'
import { API_VERSION } from '../../services/platform/payments/providerObjects.ts'
import type { Runtime } from '../../services/platform/runtime.ts'

class Died extends Error {}

type Parts = Pick<Runtime, 'clock' | 'log' | 'config'> & { readonly engines: Runtime['engines'] }

/**
 * The parts of a process that dies after its nth step. A step is a request to the payment provider or a command: it has its
 * effect, its result never arrives, and every later step fails.
 */
export function dyingAfter(stepsMax: number, { engines, clock, log, config }: Parts) {
  let steps = 0
  const step = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (steps >= stepsMax) throw new Died('the process has died')
    steps++
    const result = await work()
    if (steps >= stepsMax) throw new Died('the process died after this step')
    return result
  }
  const { commands } = engines
  const handle: typeof commands.handle = (...command) => step(() => commands.handle(...command))
  const { hostname, port } = new URL(config.STRIPE_API_BASE ?? '')
  const provider = new PaymentProvider(
    new Stripe(config.STRIPE_SECRET_KEY ?? '', {
      apiVersion: API_VERSION,
      host: hostname,
      port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient: Stripe.createFetchHttpClient((...request: Parameters<typeof fetch>) => step(() => fetch(...request))),
    }),
  )
  return {
    parts: { clock, log, provider, engines: { database: engines.database, commands: { handle } as typeof commands } },
    /** Whether it died, or ended its work before. */
    hasDied: () => steps >= stepsMax,
  }
}
