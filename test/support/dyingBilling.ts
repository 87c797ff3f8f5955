import Stripe from 'stripe'
import { PaymentProvider } from '../../services/platform/payments/paymentProvider.ts'
import { API_VERSION } from '../../services/platform/payments/providerObjects.ts'
import { UsageInvoices } from '../../services/platform/payments/usageInvoices.ts'
import type { Runtime } from '../../services/platform/runtime.ts'
import type { PostpaidParts } from '../../services/reactor/postpaid/postpaidParts.ts'

class Killed extends Error {}

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
  let taken = 0
  const counted = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const isLast = ++taken === step
    if (taken > step || (isLast && when === 'before')) throw new Killed(`before step ${step}`)
    const result = await work()
    if (isLast) throw new Killed(`after step ${step}`)
    return result
  }
  const send: typeof fetch = (url, init) =>
    init?.method === 'POST' ? counted(() => fetch(url, init)) : fetch(url, init)
  const { hostname, port } = new URL(providerUrl)
  const stripe = new Stripe('sk_test_of_the_tests', {
    apiVersion: API_VERSION,
    ...{ host: hostname, port, protocol: 'http', maxNetworkRetries: 0 },
    httpClient: Stripe.createFetchHttpClient(send),
  })
  const { ledger, commands } = engines
  const killedEngines = {
    ...engines,
    ledger: {
      draft: ledger.draft.bind(ledger),
      book: (...args: Parameters<typeof ledger.book>) => counted(() => ledger.book(...args)),
    },
    commands: {
      stateOf: commands.stateOf.bind(commands),
      handle: ((...args: Parameters<typeof commands.handle>) =>
        counted(() => commands.handle(...args))) as typeof commands.handle,
    },
  } as unknown as PostpaidParts['engines']
  const parts: PostpaidParts = {
    engines: killedEngines,
    clock,
    log,
    provider: new PaymentProvider(stripe),
    usageInvoices: new UsageInvoices(stripe),
  }
  return { parts, steps: () => taken, stripe }
}

/** As billingKilledAt, of a reactor that lives. */
export function livingBilling(runtime: Pick<Runtime, 'engines' | 'clock' | 'log'>, providerUrl: string): PostpaidParts {
  return billingKilledAt(Number.POSITIVE_INFINITY, 'before', runtime, providerUrl).parts
}
