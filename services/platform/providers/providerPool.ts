import { type Dispatcher, Pool } from 'undici'

export const PROVIDER_CONNECTIONS_MAX = 256
/** Calls that may wait until one of the connections is free; they wait at most the connect time-out. */
export const PROVIDER_CALLS_WAITING_MAX = 256

const CALLS_MAX = PROVIDER_CONNECTIONS_MAX + PROVIDER_CALLS_WAITING_MAX
const KEEP_ALIVE_MS = 30_000

/** The connections to one origin, and the number of calls on them. */
export class ProviderPool {
  readonly #pool: Pool
  #calls = 0
  /** No provider of the current table needs this pool, so it is closed when its last call ends. */
  #isRetired: boolean
  #isClosed = false

  constructor(origin: string, connectTimeoutMs: number, isRetired = false) {
    this.#isRetired = isRetired
    this.#pool = new Pool(origin, {
      connections: PROVIDER_CONNECTIONS_MAX,
      connect: { timeout: connectTimeoutMs },
      keepAliveTimeout: KEEP_ALIVE_MS,
    })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Limits the calls, because undici's own queue is unbounded. */
  get isFull(): boolean {
    return this.#calls >= CALLS_MAX
  }

  /** Every connection is in use, so a new call waits for another to end. */
  get isBusy(): boolean {
    return this.#calls > PROVIDER_CONNECTIONS_MAX
  }

  /** The caller must call `ended` when the call is over. Returns false if the call may have to wait for a connection. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#calls++
    return this.#pool.dispatch(options, handler)
  }

  ended(): void {
    this.#calls--
    if (this.#isRetired) this.#closeWhenIdle()
  }

  retire(isRetired: boolean): void {
    this.#isRetired = isRetired
    if (isRetired) this.#closeWhenIdle()
  }

  /** Closes all connections at once, calls in flight included. */
  destroy(): Promise<void> {
    this.#isClosed = true
    return this.#pool.destroy()
  }

  #closeWhenIdle(): void {
    if (this.#calls > 0 || this.#isClosed) return
    this.#isClosed = true
    this.#pool.close().catch(() => {})
  }
}
