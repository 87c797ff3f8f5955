import { type BreakerState, CircuitBreaker, worstState } from '../circuitBreaker/circuitBreaker.ts'
import type { Clock } from '../clock/clock.ts'
import { AnswerReceiver, type SentCall } from './answerReceiver.ts'
import { PROVIDER_CALLS_WAITING_MAX, PROVIDER_CONNECTIONS_MAX, ProviderPool } from './providerPool.ts'
import type { Provider, ProviderTable } from './providersFile.ts'

export type ProviderCall = {
  readonly path: string
  readonly body: Buffer
  /** Sent along as x-request-id, so that a call can be found in the provider's own log. */
  readonly callId: string
  /** The header for the provider's key; `Authorization: Bearer` by default. */
  readonly keyHeader?: ApiKeyHeader | undefined
  /** Further headers of this call. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type ApiKeyHeader = 'x-api-key'

export type ProviderClientOptions = {
  readonly clock: Clock
  readonly breakerCooldownMs?: number
  /** Called when the circuit breaker of a provider opens or closes. */
  readonly onBreaker?: (provider: string, state: 'closed' | 'open') => void
}

/** What all calls to a provider share, computed once. */
type Route = {
  readonly pool: ProviderPool
  readonly breaker: CircuitBreaker
  readonly basePath: string
  readonly headers: Readonly<Record<string, string>>
  /** With the key in `x-api-key`. */
  readonly keyHeaders: Readonly<Record<string, string>>
}

const BUSY_RETRY_MS = 1_000

/**
 * Sends calls to providers over connections that are kept alive and pooled by origin. Each
 * provider has one circuit breaker, however many aliases it serves.
 */
export class ProviderClient {
  readonly #clock: Clock
  readonly #cooldownMs: number
  readonly #onBreaker: NonNullable<ProviderClientOptions['onBreaker']>
  readonly #pools = new Map<string, ProviderPool>()
  readonly #breakers = new Map<string, { readonly provider: string; readonly breaker: CircuitBreaker }>()
  readonly #routes = new WeakMap<Provider, Route>()
  /** The pools that the current table needs; null before the first table. */
  #inUse: ReadonlySet<string> | null = null

  constructor({ clock, breakerCooldownMs = 60_000, onBreaker = () => {} }: ProviderClientOptions) {
    this.#clock = clock
    this.#cooldownMs = breakerCooldownMs
    this.#onBreaker = onBreaker
  }

  send(provider: Provider, { path, body, callId, keyHeader, headers: more }: ProviderCall): SentCall {
    const { pool, breaker, basePath, headers, keyHeaders } = this.#route(provider)
    const receiver = new AnswerReceiver({ provider, breaker, pool, clock: this.#clock })
    if (pool.isFull) {
      const limit = PROVIDER_CONNECTIONS_MAX + PROVIDER_CALLS_WAITING_MAX
      receiver.refuse(new Error(`${limit} calls are in flight, which is the limit`), 'provider_busy', BUSY_RETRY_MS)
      return receiver
    }
    if (!breaker.tryStart(receiver)) {
      receiver.refuse(new Error('its circuit breaker is open'), 'provider_resting', breaker.cooldownLeftMs)
      return receiver
    }
    try {
      const isReady = pool.dispatch(
        {
          method: 'POST',
          path: basePath + path,
          headers: { ...(keyHeader ? keyHeaders : headers), ...more, 'x-request-id': callId },
          body,
          headersTimeout: provider.firstByteTimeoutMs,
          bodyTimeout: provider.idleTimeoutMs,
        },
        receiver,
      )
      if (!isReady) receiver.waitForConnection(provider.connectTimeoutMs)
    } catch (error) {
      receiver.onResponseError(null, error as Error)
    }
    return receiver
  }

  /**
   * Replaces the provider table. Calls in flight continue with the providers they have; connections that the new table
   * does not need are closed once they are idle.
   */
  use(table: ProviderTable): void {
    const providers = Object.values(table).flatMap((entry) => entry?.providers ?? [])
    const breakers = new Set(providers.map(breakerKey))
    this.#inUse = new Set(providers.map(poolKey))
    for (const [key, pool] of this.#pools) {
      pool.retire(!this.#inUse.has(key))
      if (pool.isClosed) this.#pools.delete(key)
    }
    for (const key of this.#breakers.keys()) if (!breakers.has(key)) this.#breakers.delete(key)
    for (const provider of providers) this.#route(provider)
  }

  /** By provider name; for two providers with the same name, the worse state. */
  breakerStates(): Map<string, BreakerState> {
    const states = new Map<string, BreakerState>()
    for (const { provider, breaker } of this.#breakers.values()) {
      states.set(provider, worstState([breaker.state, states.get(provider) ?? 'closed']))
    }
    return states
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
    this.#pools.clear()
  }

  #route(provider: Provider): Route {
    const known = this.#routes.get(provider)
    if (known && !known.pool.isClosed) return known
    const base = new URL(provider.baseUrl)
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    const keyHeaders = { ...headers }
    if (provider.apiKey !== null) {
      headers.authorization = `Bearer ${provider.apiKey}`
      keyHeaders['x-api-key'] = provider.apiKey
    }
    const route = {
      pool: this.#pool(provider),
      breaker: known?.breaker ?? this.#breaker(provider),
      basePath: base.pathname.replace(/\/$/, ''),
      headers,
      keyHeaders,
    }
    this.#routes.set(provider, route)
    return route
  }

  #pool(provider: Provider): ProviderPool {
    const key = poolKey(provider)
    let pool = this.#pools.get(key)
    if (!pool || pool.isClosed) {
      // A call that began under the previous table may still reach a provider that the new one lacks.
      const isRetired = this.#inUse !== null && !this.#inUse.has(key)
      pool = new ProviderPool(new URL(provider.baseUrl).origin, provider.connectTimeoutMs, isRetired)
      this.#pools.set(key, pool)
    }
    return pool
  }

  #breaker(provider: Provider): CircuitBreaker {
    const key = breakerKey(provider)
    const known = this.#breakers.get(key)
    if (known) return known.breaker
    const { name } = provider
    const breaker = new CircuitBreaker({
      clock: this.#clock,
      cooldownMs: this.#cooldownMs,
      onChange: (state) => this.#onBreaker(name, state),
    })
    this.#breakers.set(key, { provider: name, breaker })
    return breaker
  }
}

function poolKey({ baseUrl, connectTimeoutMs }: Provider): string {
  return `${new URL(baseUrl).origin} ${connectTimeoutMs}`
}

/** A provider whose address or key changes gets a new breaker, so it is called again at once. */
function breakerKey({ name, baseUrl, apiKey }: Provider): string {
  return JSON.stringify([name, baseUrl, apiKey])
}
