import type { Runtime } from '../../../capabilities/installation.ts'
import { PaymentProvider } from '../../../capabilities/payments/paymentProvider.ts'
import { UsageInvoices } from '../../../capabilities/payments/usageInvoices.ts'
import type { PostpaidParts } from '../../../capabilities/postpaid/postpaidParts.ts'
import { DyingSteps } from './dyingSteps.ts'

/**
 * What a reactor needs to bill postpaid companies, of one that is killed before or after one of its steps. A step is a write
 * to the store or to the payment provider.
 */
export function billingKilledAt(
  step: number,
  when: 'before' | 'after',
  { engines, clock, log }: Pick<Runtime, 'engines' | 'clock' | 'log'>,
  providerUrl: string,
) {
  const steps = new DyingSteps(step, when)
  const stripe = steps.stripe(providerUrl, (method) => method === 'POST')
  const { ledger, commands } = engines
  const killedEngines = {
    ...engines,
    ledger: {
      draft: ledger.draft.bind(ledger),
      book: (...args: Parameters<typeof ledger.book>) => steps.take(() => ledger.book(...args)),
    },
    commands: {
      stateOf: commands.stateOf.bind(commands),
      handle: ((...args: Parameters<typeof commands.handle>) =>
        steps.take(() => commands.handle(...args))) as typeof commands.handle,
    },
  } as unknown as PostpaidParts['engines']
  const parts: PostpaidParts = {
    engines: killedEngines,
    clock,
    log,
    provider: new PaymentProvider(stripe),
    usageInvoices: new UsageInvoices(stripe),
  }
  return { parts, steps: () => steps.taken, stripe }
}

/** As billingKilledAt, of a reactor that lives. */
export function livingBilling(runtime: Pick<Runtime, 'engines' | 'clock' | 'log'>, providerUrl: string): PostpaidParts {
  return billingKilledAt(Number.POSITIVE_INFINITY, 'before', runtime, providerUrl).parts
}
