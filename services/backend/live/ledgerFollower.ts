import type { Recorded } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import type { Position } from '../../../contracts/position.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { TypedEventStore } from '../../../platform/eventStore/port.ts'
import { RecentIds } from '../../../platform/eventStore/recentIds.ts'
import type { Log } from '../../../platform/logger/logger.ts'

const RETRY_DELAY_MS = 500
/** Event ids of the companies that are watched. A second copy is written within moments of the first. */
const IDS_REMEMBERED_MAX = 20_000

export type LedgerListener = (event: Recorded<LedgerEvent>) => void

export type FollowedStore = { readonly store: TypedEventStore; readonly clock: Clock; readonly log: Log }

type Run = { readonly stop: AbortController; readonly started: Promise<void> }

/**
 * The new entries of all ledgers, as one follower of the event store for all listeners of this process, which shares the
 * store's subscription with every other follower. It follows while there are listeners, and no longer.
 */
export class LedgerFollower {
  readonly #source: FollowedStore
  readonly #listeners = new Map<string, Set<LedgerListener>>()
  readonly #seen: RecentIds | null
  #run: Run | null = null

  constructor(source: FollowedStore) {
    this.#source = source
    this.#seen = source.store.idsAreUnique ? null : new RecentIds(IDS_REMEMBERED_MAX)
  }

  /**
   * Once it resolves, the listener gets each entry of the company's ledger that is stored from then on, in order and once.
   * It may get some that were stored before. Resolves with what ends it.
   */
  async listen(companyId: string, listener: LedgerListener): Promise<() => void> {
    const listeners = this.#listeners.get(companyId) ?? new Set()
    this.#listeners.set(companyId, listeners.add(listener))
    const leave = () => this.#leave(companyId, listener)
    this.#run ??= this.#start()
    try {
      await this.#run.started
    } catch (error) {
      leave()
      throw error
    }
    return leave
  }

  #leave(companyId: string, listener: LedgerListener): void {
    const listeners = this.#listeners.get(companyId)
    listeners?.delete(listener)
    if (listeners?.size === 0) this.#listeners.delete(companyId)
    if (this.#listeners.size === 0) this.#stop()
  }

  #start(): Run {
    const stop = new AbortController()
    const started = this.#source.store.head().then((head) => {
      void this.#follow(head, stop.signal)
    })
    return { stop, started }
  }

  #stop(): void {
    this.#run?.stop.abort()
    this.#run = null
  }

  async #follow(head: Position, signal: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#source
    let after = head
    while (!signal.aborted) {
      try {
        for await (const { events, position } of store.subscribe({ after, categories: ['ledger'], signal })) {
          // A batch may still arrive while another run has begun for new listeners.
          if (signal.aborted) return
          for (const event of events) this.#deliver(event)
          after = position
        }
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error }, 'live ledger lost its event source and subscribes again')
      }
      await clock.delay(RETRY_DELAY_MS, signal)
    }
  }

  #deliver(event: Recorded<LedgerEvent>): void {
    const listeners = this.#listeners.get(event.data.companyId)
    if (!listeners || this.#seen?.isRepeated(event.id)) return
    for (const listener of listeners) listener(event)
  }
}
