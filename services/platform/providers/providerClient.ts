import { Pool } from 'undici'
import { LIMITS } from '../../../contracts/limits.ts'
import { AnswerReceiver, type SentCall } from './answerReceiver.ts'
import type { Provider } from './providersFile.ts'

export type ProviderCall = {
  readonly path: string
  readonly body: Buffer
  /** Sent along as x-request-id, so that a call can be found in the provider's own log. */
  readonly callId: string
}

type Route = { readonly pool: Pool; readonly basePath: string; readonly headers: Readonly<Record<string, string>> }

/** Speaks the chat-completion wire to every provider, over connections that are kept alive and pooled by origin. */
export class ProviderClient {
  readonly #pools = new Map<string, Pool>()
  /** What all calls to a provider have in common, worked out once. */
  readonly #routes = new WeakMap<Provider, Route>()

  send(provider: Provider, { path, body, callId }: ProviderCall): SentCall {
    const { pool, basePath, headers } = this.#route(provider)
    const receiver = new AnswerReceiver(provider)
    try {
      pool.dispatch(
        {
          method: 'POST',
          path: basePath + path,
          headers: { ...headers, 'x-request-id': callId },
          body,
          headersTimeout: provider.firstByteTimeoutMs,
          bodyTimeout: provider.idleTimeoutMs,
        },
        receiver,
      )
    } catch (error) {
      receiver.onResponseError(null, error as Error)
    }
    return receiver
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
    this.#pools.clear()
  }

  #route(provider: Provider): Route {
    const known = this.#routes.get(provider)
    if (known) return known
    const base = new URL(provider.baseUrl)
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (provider.apiKey !== null) headers.authorization = `Bearer ${provider.apiKey}`
    const route = { pool: this.#pool(base.origin, provider), basePath: base.pathname.replace(/\/$/, ''), headers }
    this.#routes.set(provider, route)
    return route
  }

  #pool(origin: string, provider: Provider): Pool {
    const key = `${origin} ${provider.connectTimeoutMs}`
    let pool = this.#pools.get(key)
    if (!pool) {
      pool = new Pool(origin, {
        connections: LIMITS.providerConnectionsMax,
        connect: { timeout: provider.connectTimeoutMs },
        keepAliveTimeout: 30_000,
      })
      this.#pools.set(key, pool)
    }
    return pool
  }
}
