import { type Dispatcher, Pool } from 'undici'
import { FairShare } from '../../platform/http/limits/fairShare.ts'
import type { Connect } from '../../platform/network.ts'

/** Companies share the connections fairly: one that asks for all of them gets half, and others always find some free. */
export const PROVIDER_CONNECTIONS_MAX = 512
/** How many calls may wait for a free connection. Companies share these too; the wait is limited by the connect time-out. */
export const PROVIDER_CALLS_WAITING_MAX = 256

const KEEP_ALIVE_MS = 30_000

/** The connections to one origin, which companies share. */
export class ProviderPool {
  readonly #pool: Pool
  readonly #connections = new FairShare(PROVIDER_CONNECTIONS_MAX)
  readonly #places = new FairShare(PROVIDER_CALLS_WAITING_MAX)
  /** What starts each waiting call, by company. Companies take turns: the one that began a call last comes last. */
  readonly #waiting = new Map<string, Set<() => void>>()
  /** The current table no longer needs this pool, so it is closed when its last call ends. */
  #isRetired: boolean
  #isClosed = false

  constructor(origin: string, connectTimeoutMs: number, isRetired = false, connect?: Connect) {
    this.#isRetired = isRetired
    this.#pool = new Pool(origin, {
      connections: PROVIDER_CONNECTIONS_MAX,
      connect: connect ?? { timeout: connectTimeoutMs },
      keepAliveTimeout: KEEP_ALIVE_MS,
    })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Whether the company may take a connection for a call, which gives it back with `ended`. */
  take(company: string): boolean {
    return this.#connections.take(company, 1) === 'taken'
  }

  /** For a call that has taken a connection. Returns false if the connection may still have to be opened. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#pool.dispatch(options, handler)
  }

  /**
   * Calls `begin` once the company has a connection for a call. Returns a function that removes the call from the
   * queue, or null if too many calls are waiting.
   */
  wait(company: string, begin: () => void): (() => void) | null {
    if (this.#places.take(company, 1) !== 'taken') return null
    const queue = this.#waiting.get(company)
    if (queue) queue.add(begin)
    else this.#waiting.set(company, new Set([begin]))
    return () => this.#leave(company, begin)
  }

  ended(company: string): void {
    this.#connections.give(company, 1)
    if (this.#waiting.size > 0) this.#beginNext()
    if (this.#isRetired) this.#closeWhenIdle()
  }

  retire(isRetired: boolean): void {
    this.#isRetired = isRetired
    if (isRetired) this.#closeWhenIdle()
  }

  /** Closes all connections at once, including those of calls in flight. */
  destroy(): Promise<void> {
    this.#isClosed = true
    return this.#pool.destroy()
  }

  /** A connection is free. */
  #beginNext(): void {
    for (const [company, queue] of this.#waiting) {
      if (!this.take(company)) continue
      this.#waiting.delete(company)
      this.#waiting.set(company, queue)
      for (const begin of queue) {
        this.#leave(company, begin)
        begin()
        return
      }
    }
  }

  #leave(company: string, begin: () => void): void {
    const queue = this.#waiting.get(company)
    if (!queue?.delete(begin)) return
    if (queue.size === 0) this.#waiting.delete(company)
    this.#places.give(company, 1)
  }

  #closeWhenIdle(): void {
    if (this.#connections.used > 0 || this.#isClosed) return
    this.#isClosed = true
    this.#pool.close().catch(() => {})
  }
}
