import type Stripe from 'stripe'
import { signAccessToken } from '../../../platform/secrets/accessTokens.ts'
import { startReactor } from '../../../services/reactor/reactor.ts'
import { reusablePorts } from '../processes/reusablePorts.ts'
import { until } from '../time/until.ts'
import { type Person, startBackendHarness } from './backendHarness.ts'
import type { HarnessOptions } from './gatewayHarness.ts'
import { stripeClient } from './paymentSandboxClient.ts'
import { startTestSandbox } from './sandbox.ts'

/** More events than one action of a test causes. */
const NEWEST_EVENTS = 20

export type PaymentHarness = Awaited<ReturnType<typeof startPaymentHarness>>

export type PaymentHarnessOptions = HarnessOptions & {
  /** The port that receives the payment events instead of the backend. */
  readonly paymentEventsPort?: number
  /** false: the test runs the parts of the reactor that it needs. */
  readonly reactor?: boolean
}

/** Gateway, backend and reactor with the sandbox's payment provider, which sends them payment events. */
export async function startPaymentHarness(options: PaymentHarnessOptions = {}) {
  // The sandbox has to know it before the backend binds it.
  const [backendPort = 0] = await reusablePorts(1)
  const paymentEventsPort = options.paymentEventsPort ?? backendPort
  const sandbox = await startTestSandbox({
    backendPort: paymentEventsPort,
    ...(options.clock ? { clock: options.clock } : {}),
  })
  const backend = await startBackendHarness({
    ...options,
    env: {
      BACKEND_PORT: String(backendPort),
      STRIPE_API_BASE: sandbox.url,
      STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
      ...options.env,
    },
  })
  const { secrets, clock } = backend.runtime
  const reactor = options.reactor === false ? null : await startReactor(backend.runtime)
  const stripe: Stripe = stripeClient(sandbox.url)

  /** The actions of a person on the sandbox's page. */
  const control = async (path: string, fields: object = {}): Promise<Record<string, unknown>> => {
    const response = await fetch(`${sandbox.url}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }
  // biome-ignore lint/suspicious/noExplicitAny: the fields are asserted, not used.
  const queryAs = async (operation: string, variables: object, person: Person): Promise<any> => {
    // A new token each time: tests let days pass.
    const token = await signAccessToken(secrets.jwtSecret, { ...person, version: 0 }, clock.now(), 60)
    const { data, errors } = await backend.ask(operation, variables, token)
    if (errors) throw new Error(JSON.stringify(errors))
    return data
  }
  return {
    ...backend,
    sandbox,
    stripe,
    control,
    askAs: queryAs,
    asAdmin: (operation: string, variables: object = {}) => queryAs(operation, variables, backend.admin),
    asRoot: (operation: string, variables: object = {}) => queryAs(operation, variables, backend.superAdmin),
    /** Queries as the company's admin until the answer matches. */
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    untilSeen: (what: string, query: string, fits: (data: any) => boolean) =>
      until(what, async () => {
        const data = await queryAs(query, {}, backend.admin)
        return fits(data) ? data : undefined
      }),
    /** Resolves when the newest events of the provider have arrived and were processed. */
    paymentEventsProcessed: () =>
      until('the payment events are processed', async () => {
        const sent = await stripe.events.list({ limit: NEWEST_EVENTS })
        const { webhookEvents } = await queryAs('{ webhookEvents(status: PROCESSED) { id } }', {}, backend.superAdmin)
        const processed = new Set(webhookEvents.map(({ id }: { id: string }) => id))
        return sent.data.every(({ id }) => processed.has(id))
      }),
    close: async () => {
      await sandbox.close()
      await reactor?.drain(1_000)
      await backend.close()
    },
  }
}
