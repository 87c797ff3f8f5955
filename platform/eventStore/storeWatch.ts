import type { NewEvent } from '../../contracts/envelope.ts'
import { type Clock, isoTime } from '../clock/clock.ts'
import { within } from '../clock/within.ts'
import type { Ids } from '../ids/ids.ts'
import type { Log } from '../logger/logger.ts'
import { OutageLog } from './outageLog.ts'
import { type EventStore, WrongExpectedRevision } from './port.ts'

/** How often a store that has been quiet is probed. */
const ASK_MS = 1_000
/** How often an unresponsive store is probed: calls are refused for up to this long after it is back. */
const ASK_AGAIN_MS = 300
const ANSWER_MS_MAX = 2_000
/** No stream has this name, so nothing is ever read or stored. */
const STREAM = 'probe-store'
const REVISION = 1_000_000

export type WatchedAppends = {
  readonly isHeldUp: boolean
  /** When the store last answered an append, in monotonic milliseconds. */
  readonly answeredAtMs: number
}

export type StoreWatchOptions = {
  readonly store: Pick<EventStore, 'append' | 'readStream'>
  readonly appends: WatchedAppends
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/**
 * Knows whether the store answers, even while nothing is appended. Otherwise the next callers would find out, each with
 * a call that we pay the provider for and cannot charge.
 */
export class StoreWatch {
  readonly #options: StoreWatchOptions
  readonly #closing = new AbortController()
  readonly #outage: OutageLog
  #running: Promise<void> | null = null
  #isSilent = false

  constructor(options: StoreWatchOptions) {
    this.#options = options
    const { clock, log } = options
    this.#outage = new OutageLog({ clock, log, what: 'event store', meanwhile: 'billed calls are refused' })
  }

  get isSilent(): boolean {
    return this.#isSilent
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { clock } = this.#options
    const { signal } = this.#closing
    while (!signal.aborted) {
      await clock.delay(this.#isSilent ? ASK_AGAIN_MS : ASK_MS, signal)
      if (signal.aborted) return
      const failure = await this.#failure()
      if (signal.aborted) return
      this.#isSilent = failure !== null
      if (failure) this.#outage.failed(failure)
      else this.#outage.answered()
    }
  }

  /** Null if the store answers. A store that can read may not be able to append, so only an append ends an outage. */
  async #failure(): Promise<unknown> {
    const { appends, clock } = this.#options
    if (clock.monotonicMs() - appends.answeredAtMs < ASK_MS) return null
    if (!this.#isSilent && !appends.isHeldUp && (await this.#answers(this.#read())) === null) return null
    return this.#answers(this.#append())
  }

  async #answers(request: Promise<void>): Promise<unknown> {
    try {
      await within(request, ANSWER_MS_MAX, this.#options.clock, this.#closing.signal)
      return null
    } catch (error) {
      return error
    }
  }

  async #read(): Promise<void> {
    for await (const _ of this.#options.store.readStream(STREAM, { limit: 1 })) return
  }

  /** Expects a revision that the stream does not have, so that the store refuses it. */
  async #append(): Promise<void> {
    try {
      await this.#options.store.append(STREAM, REVISION, [this.#event()])
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error
    }
  }

  #event(): NewEvent {
    const { clock, ids } = this.#options
    const id = ids.uuid()
    const actor = { kind: 'system', name: 'store watch' } as const
    return {
      id,
      type: 'StoreProbed',
      data: { at: isoTime(clock.now()) },
      metadata: { schemaVersion: 1, correlationId: id, causationId: id, actor },
    }
  }
}
