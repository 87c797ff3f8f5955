import { Pool } from 'undici'
import { LIMITS } from '../../../contracts/limits.ts'
import type { Provider } from './providersFile.ts'

export type ProviderAnswer = {
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | null
  /** The bytes as they arrive. Leaving the loop early or aborting the signal closes the connection. */
  readonly body: AsyncIterable<Buffer>
}

export type ProviderCall = {
  readonly path: string
  readonly body: Buffer
  /** Sent along as x-request-id, so that a call can be found in the provider's own log. */
  readonly callId: string
  readonly signal: AbortSignal
}

/** The provider did not answer: refused, timed out, or broke off before its answer began. */
export class ProviderUnreachable extends Error {
  constructor(provider: Provider, cause: unknown) {
    super(`provider ${provider.name} did not answer: ${(cause as Error).message}`, { cause })
    this.name = 'ProviderUnreachable'
  }
}

/** Speaks the chat-completion wire to every provider, over connections that are kept alive and pooled by origin. */
export class ProviderClient {
  readonly #pools = new Map<string, Pool>()

  async call(provider: Provider, { path, body, callId, signal }: ProviderCall): Promise<ProviderAnswer> {
    const base = new URL(provider.baseUrl)
    try {
      const response = await this.#pool(base.origin, provider).request({
        method: 'POST',
        path: `${base.pathname.replace(/\/$/, '')}${path}`,
        headers: {
          'content-type': 'application/json',
          'x-request-id': callId,
          ...(provider.apiKey === null ? {} : { authorization: `Bearer ${provider.apiKey}` }),
        },
        body,
        signal,
        headersTimeout: provider.firstByteTimeoutMs,
        bodyTimeout: provider.idleTimeoutMs,
      })
      return {
        status: response.statusCode,
        contentType: header(response.headers['content-type']) ?? '',
        retryAfter: header(response.headers['retry-after']),
        body: response.body as AsyncIterable<Buffer>,
      }
    } catch (error) {
      throw new ProviderUnreachable(provider, error)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
    this.#pools.clear()
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

function header(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null
}
