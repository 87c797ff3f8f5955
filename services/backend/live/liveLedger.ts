import type { Runtime } from '../../../capabilities/installation.ts'
import type { Recorded } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { FairShare } from '../../../platform/http/limits/fairShare.ts'
import type { CallRow } from '../../../projections/calls/projection.ts'
import { calls } from '../../../projections/calls/projection.ts'
import { applyEvents } from '../../../projections/projection.ts'
import { LedgerBalance, type LiveBalance } from './ledgerBalance.ts'
import { LedgerFollower } from './ledgerFollower.ts'
import { LiveQueue } from './liveQueue.ts'

/** Readers in this process, which companies share fairly. */
export const LIVE_READERS_MAX = 1_000
/** Calls that may wait for one reader. */
export const LIVE_CALLS_WAITING_MAX = 1_000

/** The company has no free reader slot. */
export class NoReaderPlace extends Error {}
/** The reader is too slow. */
export class ReaderTooSlow extends Error {}

export type LiveReader<Value> = Pick<LiveQueue<Value>, 'next' | 'close'>

/** Live changes of company ledgers. */
export class LiveLedger {
  readonly #engines: Runtime['engines']
  readonly #follower: LedgerFollower
  readonly #places: FairShare

  constructor({ engines, clock, log }: Pick<Runtime, 'engines' | 'clock' | 'log'>, readersMax = LIVE_READERS_MAX) {
    this.#engines = engines
    this.#follower = new LedgerFollower({ store: engines.store, clock, log })
    this.#places = new FairShare(readersMax)
  }

  get readers(): number {
    return this.#places.used
  }

  /** The present balance, and the newest one whenever it has changed. */
  async balance(companyId: string): Promise<LiveReader<LiveBalance>> {
    let balance: LedgerBalance | null = null
    // Entries that arrive while the balance is read, which may include them already.
    const early: Recorded<LedgerEvent>[] = []
    const queue = await this.#open<LiveBalance>(companyId, 1, (event, opened) => {
      if (!balance) early.push(event)
      else if (balance.apply(event)) opened.replace(balance.current)
    })
    try {
      balance = await LedgerBalance.read(this.#engines, companyId)
    } catch (error) {
      queue.close()
      throw error
    }
    for (const event of early.splice(0)) balance.apply(event)
    queue.replace(balance.current)
    return queue
  }

  /** Each call of the company that ends from now on, as the list of calls shows it. */
  calls(companyId: string): Promise<LiveReader<CallRow>> {
    return this.#open<CallRow>(companyId, LIVE_CALLS_WAITING_MAX, (event, queue) => {
      if (event.type !== 'CallCharged' && event.type !== 'CallFailed') return
      for (const row of applyEvents(calls, [event]).values()) {
        if (!queue.push(row))
          queue.close(new ReaderTooSlow(`more than ${LIVE_CALLS_WAITING_MAX} calls wait to be read`))
      }
    })
  }

  async #open<Value>(
    companyId: string,
    valuesMax: number,
    onEvent: (event: Recorded<LedgerEvent>, queue: LiveQueue<Value>) => void,
  ): Promise<LiveQueue<Value>> {
    if (this.#places.take(companyId, 1) !== 'taken') {
      throw new NoReaderPlace('too many live subscriptions of this company: close one first')
    }
    let leave = () => {}
    const queue = new LiveQueue<Value>({
      valuesMax,
      onClose: () => {
        this.#places.give(companyId, 1)
        leave()
      },
    })
    try {
      leave = await this.#follower.listen(companyId, (event) => onEvent(event, queue))
    } catch (error) {
      queue.close()
      throw error
    }
    if (queue.isClosed) leave()
    return queue
  }
}
