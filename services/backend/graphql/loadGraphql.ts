import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Runtime } from '../../../capabilities/installation.ts'
import { loadInPieces, packagesWithin } from '../../../platform/loadInPieces.ts'
import type { GraphqlApi } from './api.ts'
import type { Logins } from './signIn/logins.ts'
import type { GraphqlSockets } from './sockets/sockets.ts'

type Loaded = {
  readonly api: GraphqlApi
  readonly sockets: GraphqlSockets
  /** Shared by all ways to sign in, so that their limits count together. */
  readonly logins: Logins
}

/** The GraphQL API, loaded apart from the rest: its libraries and its schema take a fifth of the CPU time of a start. */
export class GraphqlLoader {
  readonly #runtime: Runtime
  #loading: Promise<Loaded> | undefined

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  load(): Promise<Loaded> {
    this.#loading ??= load(this.#runtime)
    return this.#loading
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // A client that leaves while the API loads must not end the process.
    socket.on('error', () => {})
    this.load().then(
      ({ sockets }) => sockets.upgrade(request, socket, head),
      (error: unknown) => {
        this.#runtime.log.error({ err: error }, 'GraphQL API failed to load')
        socket.destroy()
      },
    )
  }

  async drain(timeoutMs: number): Promise<void> {
    const loaded = await this.#loading?.catch(() => undefined)
    await loaded?.sockets.drain(timeoutMs)
  }
}

/** Packages that Yoga consists of, the first ones needed by the next. */
const WITHIN_YOGA = [
  '@graphql-tools/utils',
  '@graphql-tools/merge',
  '@graphql-tools/schema',
  '@graphql-tools/executor',
  '@whatwg-node/server',
  '@envelop/core',
]

async function load(runtime: Runtime): Promise<Loaded> {
  await loadInPieces([
    () => import('graphql'),
    ...packagesWithin(WITHIN_YOGA),
    () => import('graphql-yoga'),
    () => import('../../../capabilities/payments/paymentProvider.ts'),
    () => import('./limits/protections.ts'),
    () => import('./schema.ts'),
    () => import('./api.ts'),
    () => import('./sockets/sockets.ts'),
  ])
  const { loadSchema } = await import('./schema.ts')
  const { createApi } = await import('./api.ts')
  const { graphqlSockets } = await import('./sockets/sockets.ts')
  const { Logins } = await import('./signIn/logins.ts')
  const schema = loadSchema()
  await nextTurn()
  const logins = new Logins(runtime)
  const api = createApi(runtime, schema, logins)
  return { api, sockets: graphqlSockets(api, runtime), logins }
}
