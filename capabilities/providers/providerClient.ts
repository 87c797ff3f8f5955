import type { Dispatcher } from 'undici'
import { type BreakerState, worstState } from '../../platform/circuitBreaker/circuitBreaker.ts'
import { CompanyBreakers } from '../../platform/circuitBreaker/companyBreakers.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Connect } from '../../platform/network.ts'
import { AnswerReceiver, type SentCall } from './answerReceiver.ts'
import { ProviderPool } from './providerPool.ts'
import type { Provider, ProviderTable } from './providersFile.ts'

export type ProviderCall = {
  readonly path: string
  readonly body: Buffer
  /** Also sent as x-request-id, so that a call can be found in the provider's own log. */
  readonly callId: string
  /** The company that makes the call; calls without one count as one additional company. */
  readonly companyId?: string | undefined
  /** The header for the provider's key; `Authorization: Bearer` by default. */
  readonly keyHeader?: ApiKeyHeader | undefined
  /** Further headers of this call. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type ApiKeyHeader = 'x-api-key'

export type BreakerChange = {
  readonly provider: string
  readonly model: string
  /** Undefined: all companies. */
  readonly companyId?: string
  readonly state: 'closed' | 'open'
}

export type ProviderClientOptions = {
  readonly clock: Clock
  readonly breakerCooldownMs?: number
  /** Opens connections to providers. Default: that of the HTTP client. */
  readonly connect?: Connect | undefined
  /** Called when a circuit breaker opens or closes: for all companies, or only for one. */
  readonly onBreaker?: (change: BreakerChange) => void
}

/** What all calls to a provider share, computed once. */
type Route = {
  readonly pool: ProviderPool
  readonly breaker: CompanyBreakers
  readonly basePath: string
  readonly headers: Readonly<Record<string, string>>
  /** With the key in `x-api-key`. */
  readonly keyHeaders: Readonly<Record<string, string>>
}

const BUSY_RETRY_MS = 1_000
/** The AI service's own calls belong to no company. */
const NO_COMPANY = ''

/**
 * Sends calls to providers over keep-alive connections, pooled by origin. Each model of a provider has its own circuit
 * breakers, which all aliases with that model share.
 */
export class ProviderClient {
  readonly #clock: Clock
  readonly #cooldownMs: number
  readonly #connect: Connect | undefined
  readonly #onBreaker: NonNullable<ProviderClientOptions['onBreaker']>
  readonly #pools = new Map<string, ProviderPool>()
  readonly #breakers = new Map<string, { readonly provider: string; readonly breaker: CompanyBreakers }>()
  readonly #routes = new WeakMap<Provider, Route>()
  /** The pools that the current table needs; null before the first table. */
  #inUse: ReadonlySet<string> | null = null

  constructor({ clock, breakerCooldownMs = 60_000, onBreaker = () => {}, connect }: ProviderClientOptions) {
    this.#connect = connect
    this.#clock = clock
    this.#cooldownMs = breakerCooldownMs
    this.#onBreaker = onBreaker
  }

  send(provider: Provider, call: ProviderCall): SentCall {
    const { path, body, callId, companyId: company = NO_COMPANY, keyHeader, headers: more } = call
    const { pool, breaker, basePath, headers, keyHeaders } = this.#route(provider)
    const receiver = new AnswerReceiver({ provider, breaker, company, pool, clock: this.#clock })
    if (!breaker.tryStart(receiver, company)) {
      receiver.refuse(new Error('its circuit breaker is open'), 'provider_resting', breaker.cooldownLeftMs(company))
      return receiver
    }
    const request: Dispatcher.DispatchOptions = {
      method: 'POST',
      path: basePath + path,
      headers: { ...(keyHeader ? keyHeaders : headers), ...more, 'x-request-id': callId },
      body,
      headersTimeout: provider.firstByteTimeoutMs,
      bodyTimeout: provider.idleTimeoutMs,
    }
    if (pool.take(company)) {
      dispatch(pool, request, receiver, provider)
      return receiver
    }
    const leaveQueue = pool.wait(company, () => {
      receiver.leftQueue()
      dispatch(pool, request, receiver, provider)
    })
    if (leaveQueue) receiver.waitInQueue(leaveQueue, provider.connectTimeoutMs)
    else receiver.refuse(new Error('too many calls wait for a connection'), 'provider_busy', BUSY_RETRY_MS)
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

  /** By provider name: the worst state of its models. Breakers of single companies do not count. */
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
      pool = new ProviderPool(new URL(provider.baseUrl).origin, provider.connectTimeoutMs, isRetired, this.#connect)
      this.#pools.set(key, pool)
    }
    return pool
  }

  #breaker(provider: Provider): CompanyBreakers {
    const key = breakerKey(provider)
    const known = this.#breakers.get(key)
    if (known) return known.breaker
    const { name, model } = provider
    const breaker = new CompanyBreakers({
      clock: this.#clock,
      cooldownMs: this.#cooldownMs,
      onChange: (state) => this.#onBreaker({ provider: name, model, state }),
      onCompanyChange: (companyId, state) => this.#onBreaker({ provider: name, model, companyId, state }),
    })
    this.#breakers.set(key, { provider: name, breaker })
    return breaker
  }
}

/** Sends a call that has taken a connection of the pool. */
function dispatch(
  pool: ProviderPool,
  request: Dispatcher.DispatchOptions,
  receiver: AnswerReceiver,
  { connectTimeoutMs }: Provider,
): void {
  try {
    if (!pool.dispatch(request, receiver)) receiver.waitForConnection(connectTimeoutMs)
  } catch (error) {
    receiver.unsendable(error as Error)
  }
}

function poolKey({ baseUrl, connectTimeoutMs }: Provider): string {
  return `${new URL(baseUrl).origin} ${connectTimeoutMs}`
}

/** A provider whose address, key or model changes gets a new breaker, so it is called again at once. */
function breakerKey({ name, baseUrl, apiKey, model }: Provider): string {
  return JSON.stringify([name, baseUrl, apiKey, model])
}
