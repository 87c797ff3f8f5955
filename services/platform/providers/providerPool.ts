import { type Dispatcher, Pool } from 'undici'

export const PROVIDER_CONNECTIONS_MAX = 256
/** Calls to one provider beyond its connections: they wait for one of these, no longer than for a new one. */
export const PROVIDER_CALLS_WAITING_MAX = 256

const CALLS_MAX = PROVIDER_CONNECTIONS_MAX + PROVIDER_CALLS_WAITING_MAX
const KEEP_ALIVE_MS = 30_000

/** The connections to one origin, and how many calls they have to carry. */
export class ProviderPool {
  readonly #pool: Pool
  #calls = 0
  /** No provider needs it any more: it is closed with the end of its last call. */
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

  /** Undici's own queue has no end. */
  get isFull(): boolean {
    return this.#calls >= CALLS_MAX
  }

  /** Every connection is taken, so that a call has to wait for another to end. */
  get isBusy(): boolean {
    return this.#calls > PROVIDER_CONNECTIONS_MAX
  }

  /** Whoever dispatches says when it is over, with `ended`. False: the call may have to wait for a connection. */
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

  /** Cuts whatever is under way. */
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
