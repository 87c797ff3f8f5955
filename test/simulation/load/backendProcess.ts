import type { Runtime } from '../../../capabilities/installation.ts'
import { openPaymentProvider, type PaymentProvider } from '../../../capabilities/payments/paymentProvider.ts'
import type { Config } from '../../../platform/config/config.ts'
import { createApp } from '../../../platform/http/createApp.ts'
import { serviceGuards } from '../../../platform/http/guards.ts'
import { listen } from '../../../platform/http/httpServer.ts'
import type { GraphqlContext, SignedInUser } from '../../../services/backend/graphql/context.ts'
import type { Resolvers } from '../../../services/backend/graphql/generated.ts'
import { pricing } from '../../../services/backend/graphql/resolvers/models/pricing.ts'
import { checkouts } from '../../../services/backend/graphql/resolvers/payments/checkouts.ts'
import { credits } from '../../../services/backend/graphql/resolvers/payments/credits.ts'
import { packs } from '../../../services/backend/graphql/resolvers/payments/packs.ts'
import { plans } from '../../../services/backend/graphql/resolvers/payments/plans.ts'
import { subscriptionChanges } from '../../../services/backend/graphql/resolvers/payments/subscriptionChanges.ts'
import { topUps } from '../../../services/backend/graphql/resolvers/payments/topUps.ts'
import { account } from '../../../services/backend/graphql/resolvers/people/account.ts'
import { apiKeys } from '../../../services/backend/graphql/resolvers/people/apiKeys.ts'
import { companies } from '../../../services/backend/graphql/resolvers/people/companies.ts'
import { paymentEventRoute } from '../../../services/backend/routes/paymentEvents.ts'
import { openProcess } from '../installation.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import { HTTP_PORT } from '../settings.ts'
import type { Simulation } from '../simulation.ts'

export const BACKEND = 'backend'

type Mutations = Required<NonNullable<Resolvers['Mutation']>>
export type MutationName = keyof Mutations
export type ArgsOf<Name extends MutationName> = Parameters<Mutations[Name]>[1]
export type AnswerOf<Name extends MutationName> = Awaited<ReturnType<Mutations[Name]>>

const MUTATIONS: NonNullable<Resolvers['Mutation']> = {
  ...companies.Mutation,
  ...account.Mutation,
  ...apiKeys.Mutation,
  ...credits.Mutation,
  ...pricing.Mutation,
  ...packs.Mutation,
  ...plans.Mutation,
  ...checkouts.Mutation,
  ...subscriptionChanges.Mutation,
  ...topUps.Mutation,
}

/** A real hash takes a thread and a tenth of a second. */
const LOGINS = { hash: async () => `$scrypt$ln=4,r=8,p=1$c2FsdA$${'A'.repeat(43)}` }

/** What a backend does for admins and for the payment provider, without GraphQL in between. */
export class BackendProcess {
  readonly #runtime: Runtime
  readonly #payments: PaymentProvider

  private constructor(runtime: Runtime) {
    this.#runtime = runtime
    this.#payments = openPaymentProvider(runtime.config, runtime.network)
  }

  /** Call it in the context of the process. */
  static async start(simulation: Simulation, owner: SimulatedProcess, config: Config): Promise<BackendProcess> {
    const runtime = await openProcess(simulation, owner, { config, readsModels: true })
    const { clock, ids, log, network, secrets } = runtime
    const guards = serviceGuards(secrets.internalToken)
    const handler = createApp({ routes: [paymentEventRoute(runtime)], guards, clock, ids, log })
    const bind = network && { bind: network.listen }
    await listen({ handler, host: owner.name, port: HTTP_PORT, portSetting: 'BACKEND_PORT', clock, ...bind })
    return new BackendProcess(runtime)
  }

  /** Carries out a mutation as its resolver does. */
  async mutate<Name extends MutationName>(user: SignedInUser, name: Name, args: ArgsOf<Name>): Promise<AnswerOf<Name>> {
    const resolve = MUTATIONS[name] as unknown as
      | ((source: null, args: ArgsOf<Name>, context: GraphqlContext, info: null) => Promise<AnswerOf<Name>>)
      | undefined
    if (!resolve) throw new Error(`the simulated backend has no mutation ${name}`)
    return resolve(null, args, this.#contextOf(user), null)
  }

  #contextOf(user: SignedInUser): GraphqlContext {
    const context = {
      ...{ transport: 'http', clientAddress: '192.0.2.1', correlationId: this.#runtime.ids.uuid(), credentials: null },
      ...{ runtime: this.#runtime, payments: this.#payments, logins: LOGINS, user },
      isStillSignedIn: async () => true,
    }
    // Receipts and live subscriptions are not part of it.
    return context as unknown as GraphqlContext
  }
}
