import type { Runtime } from '../../../capabilities/installation.ts'
import { PaymentProvider } from '../../../capabilities/payments/paymentProvider.ts'
import { DyingSteps } from './dyingSteps.ts'

type Parts = Pick<Runtime, 'clock' | 'log' | 'config'> & { readonly engines: Runtime['engines'] }

/** The parts of a process that dies after its nth step. A step is a request to the payment provider or a command. */
export function dyingAfter(stepsMax: number, { engines, clock, log, config }: Parts) {
  const steps = new DyingSteps(stepsMax, 'after')
  const { commands } = engines
  const handle: typeof commands.handle = (...command) => steps.take(() => commands.handle(...command))
  const provider = new PaymentProvider(steps.stripe(config.STRIPE_API_BASE ?? ''))
  return {
    parts: { clock, log, provider, engines: { database: engines.database, commands: { handle } as typeof commands } },
    /** Whether it died or finished its work before. */
    hasDied: () => steps.taken >= stepsMax,
  }
}
