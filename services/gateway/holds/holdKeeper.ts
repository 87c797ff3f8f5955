import type { Position } from '../../../contracts/position.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import type { Ids } from '../../platform/ids/ids.ts'
import type { Log } from '../../platform/log/log.ts'
import { HOLD_LEASE_MS, type HoldAnswer, type HoldTable } from '../../platform/sharedState/holds/port.ts'
import { SHARED_STATE_BEAT_MS } from '../../platform/sharedState/port.ts'
import type { BackgroundWork } from '../backgroundWork.ts'
import type { GatewayViews } from '../views/gatewayViews.ts'
import type { CallHold } from './callHold.ts'
import { holdLost, holdRefused } from './holdRefusals.ts'

/** A charge is sent under a hold only while this much of the lease is left: as long as an append may be on its way. */
const HOLD_CHARGE_LEFT_MS = 6_000
/** How long a call waits for this gateway's view of its balance to come so far. */
const HOLD_VIEW_WAIT_MS = 2_000
/** Ends of holds that the shared state has yet to hear of. */
const HOLD_ENDS_WAITING_MAX = 20_000

export type HoldKeeperDependencies = {
  readonly table: HoldTable
  readonly views: Pick<GatewayViews, 'ledgerSeen'>
  readonly store: Pick<EventStore, 'head'>
  readonly background: BackgroundWork
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly leaseMs?: number
}

type Held = {
  readonly companyId: string
  readonly callId: string
  /** The name that it is held under. When this gateway has another one by now, the hold is lost. */
  owner: string
  /** The name that it was last asked for under. */
  askedAs: string
  amountMicros: bigint
  /** A charge may be on its way: only its outcome ends the hold. */
  isCharging: boolean
}

/** Each may make the next one possible: a new lease, a founded table, a view that has come far enough, a reaped owner. */
const ATTEMPTS_MAX = 6
const VIEW_LOOK_MS = 5
/** When a hold whose placing was not answered in time is released once more: the first release may have overtaken it. */
const SECOND_RELEASE_MS = 5_000

/**
 * This gateway's part in the holds of all. It renews one lease for all its holds. When that lease is lost, because this
 * process stood still or the shared state was away, it enters under a new name and takes its holds there; one that has
 * no room any more is lost, and its call fails before it is charged.
 */
export class HoldKeeper {
  readonly #deps: HoldKeeperDependencies
  readonly #leaseMs: number
  readonly #holds = new Map<string, Held>()
  /** What the table has yet to be told, by call. */
  readonly #untold = new Map<string, () => Promise<void>>()
  readonly #stopping = new AbortController()
  #owner: string
  #leaseEndsMs = Number.NEGATIVE_INFINITY
  #entering: Promise<void> | null = null
  #running: Promise<void> = Promise.resolve()

  constructor(deps: HoldKeeperDependencies) {
    this.#deps = deps
    this.#leaseMs = deps.leaseMs ?? HOLD_LEASE_MS
    this.#owner = deps.ids.uuid()
  }

  /** Also when the shared state is away: then companies with a hard cap wait for it, and no others. */
  async start(): Promise<void> {
    await this.#beat()
    this.#running = this.#run()
  }

  /** Throws a GatewayError when there is not that much left, or when that cannot be told. */
  async place(companyId: string, callId: string, amountMicros: bigint): Promise<CallHold> {
    const held: Held = { companyId, callId, owner: '', askedAs: '', amountMicros, isCharging: false }
    let answer: HoldAnswer
    try {
      answer = await this.#admit(held, amountMicros)
    } catch (error) {
      this.#deps.log.warn({ err: error, callId }, 'a call of a company with a hard cap could not be held')
      this.#undo(held)
      throw holdLost()
    }
    if (answer.outcome !== 'held') {
      throw holdRefused(answer, amountMicros, this.#deps.views.ledgerSeen(companyId).balanceMicros)
    }
    this.#holds.set(callId, held)
    return {
      cover: (costMicros) => this.#cover(held, costMicros),
      settle: (position, chargedMicros) => this.#settle(held, position, chargedMicros),
      release: () => this.#release(held),
    }
  }

  /** Whatever way its call went: a hold that no charge waits for ends with it. */
  callEnded(callId: string): void {
    const held = this.#holds.get(callId)
    if (held && !held.isCharging) this.#release(held)
  }

  /** What is held by then ends with its lease. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    await this.#tellRest()
  }

  async #cover(held: Held, costMicros: bigint): Promise<bigint> {
    held.isCharging = true
    if (!this.#isSafe(held)) await this.#beat()
    if (held.owner !== this.#owner || costMicros > held.amountMicros) {
      const amountMicros = costMicros > held.amountMicros ? costMicros : held.amountMicros
      const answer = await this.#admit(held, amountMicros).catch(() => null)
      if (answer?.outcome === 'held') held.amountMicros = amountMicros
    }
    if (!this.#isSafe(held)) throw holdLost()
    return costMicros < held.amountMicros ? costMicros : held.amountMicros
  }

  async #settle(held: Held, position: Position, amountMicros: bigint): Promise<void> {
    if (!this.#forget(held)) return
    const { companyId, callId: holdId, owner } = held
    await this.#tell(holdId, () => this.#deps.table.settle({ owner, companyId, holdId, position, amountMicros }))
  }

  #release(held: Held): void {
    if (!this.#forget(held)) return
    const { companyId, callId: holdId, owner } = held
    this.#deps.background.add(this.#tell(holdId, () => this.#deps.table.release({ owner, companyId, holdId })))
  }

  /** False: it has ended, or whoever found the answer of its call holds it by now. */
  #forget(held: Held): boolean {
    return this.#holds.get(held.callId) === held && this.#holds.delete(held.callId)
  }

  /** There is time for a charge to land before anybody takes this gateway for dead. */
  #isSafe({ owner }: Held): boolean {
    return owner === this.#owner && this.#deps.clock.monotonicMs() <= this.#leaseEndsMs - HOLD_CHARGE_LEFT_MS
  }

  async #admit(held: Held, amountMicros: bigint): Promise<HoldAnswer> {
    const { table, views, store, background } = this.#deps
    const { companyId, callId: holdId } = held
    let hasReaped = false
    for (let attempt = 1; ; attempt++) {
      const owner = this.#owner
      held.askedAs = owner
      const answer = await table.place({ owner, companyId, holdId, amountMicros, ...views.ledgerSeen(companyId) })
      if (answer.outcome === 'held') {
        held.owner = owner
        if (answer.lapsed.length > 0) background.add(this.#reap(companyId, answer.lapsed).catch(() => {}))
        return answer
      }
      if (attempt === ATTEMPTS_MAX) return answer
      switch (answer.outcome) {
        case 'lapsed':
          await this.#enterAnew(owner)
          break
        case 'headNeeded':
          await table.reopen(await store.head())
          break
        case 'behind':
          if (!(await this.#hasSeen(companyId, answer.floor))) return answer
          break
        case 'refused':
          if (hasReaped || answer.lapsed.length === 0) return answer
          hasReaped = true
          await this.#hasSeen(companyId, await this.#reap(companyId, answer.lapsed))
          break
        case 'closed':
          return answer
      }
    }
  }

  /** Whatever the dead had sent stands before the end of the ledger that is read now. */
  async #reap(companyId: string, lapsed: readonly string[]): Promise<Position> {
    const head = await this.#deps.store.head()
    for (const owner of lapsed) await this.#deps.table.reap(companyId, owner, head)
    return head
  }

  async #hasSeen(companyId: string, position: Position): Promise<boolean> {
    const { views, clock } = this.#deps
    for (const endMs = clock.monotonicMs() + HOLD_VIEW_WAIT_MS; ; await clock.delay(VIEW_LOOK_MS)) {
      if (views.ledgerSeen(companyId).position >= position) return true
      if (clock.monotonicMs() > endMs) return false
    }
  }

  async #run(): Promise<void> {
    for (;;) {
      await this.#deps.clock.delay(SHARED_STATE_BEAT_MS, this.#stopping.signal)
      if (this.#stopping.signal.aborted) return
      await this.#beat()
    }
  }

  async #beat(): Promise<void> {
    const owner = this.#owner
    // The lease is counted from before the question: the table counts it from when that arrives.
    const askedMs = this.#deps.clock.monotonicMs()
    try {
      if (!(await this.#deps.table.renew(owner))) await this.#enterAnew(owner)
      else if (owner === this.#owner) this.#leaseEndsMs = Math.max(this.#leaseEndsMs, askedMs + this.#leaseMs)
      await this.#tellRest()
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'the lease of the holds could not be renewed')
    }
  }

  /** Once for all that found the lease over. */
  async #enterAnew(lapsed: string): Promise<void> {
    if (this.#owner !== lapsed) return
    this.#entering ??= this.#enter().finally(() => {
      this.#entering = null
    })
    await this.#entering
  }

  async #enter(): Promise<void> {
    const { table, views, clock, ids } = this.#deps
    const owner = ids.uuid()
    const askedMs = clock.monotonicMs()
    await table.enter(owner)
    this.#owner = owner
    this.#leaseEndsMs = askedMs + this.#leaseMs
    // What was held under the old name counts until somebody reaps it, and then as a charge: nothing is left to tell.
    this.#untold.clear()
    const bringBack = async (held: Held) => {
      const { companyId, callId: holdId, amountMicros } = held
      const request = { owner, companyId, holdId, amountMicros, ...views.ledgerSeen(companyId), isBroughtBack: true }
      if ((await table.place(request)).outcome === 'held') held.owner = owner
    }
    await Promise.allSettled([...this.#holds.values()].map(bringBack))
  }

  /** Waits for the table, so that the caller's next call finds it; trouble is tried again with every beat. */
  async #tell(callId: string, tell: () => Promise<void>): Promise<void> {
    try {
      await tell()
    } catch {
      // Beyond the limit it counts for more than it should, until the lease ends.
      if (this.#untold.size < HOLD_ENDS_WAITING_MAX) this.#untold.set(callId, tell)
    }
  }

  async #tellRest(): Promise<void> {
    const untold = [...this.#untold]
    this.#untold.clear()
    await Promise.all(untold.map(([callId, tell]) => this.#tell(callId, tell)))
  }

  /** Nobody knows whether it is held. */
  #undo({ companyId, callId: holdId, askedAs: owner }: Held): void {
    const { table, clock, background } = this.#deps
    const release = () => this.#tell(holdId, () => table.release({ owner, companyId, holdId }))
    const twice = async () => {
      await release()
      await clock.delay(SECOND_RELEASE_MS, this.#stopping.signal)
      await release()
    }
    background.add(twice())
  }
}
