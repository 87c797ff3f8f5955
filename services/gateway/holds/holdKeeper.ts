import type { Position } from '../../../contracts/position.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { NoAnswerInTime, settlesWithin } from '../../../platform/clock/within.ts'
import type { EventStore } from '../../../platform/eventStore/port.ts'
import type { Ids } from '../../../platform/ids/ids.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import {
  HOLD_LEASE_MS,
  type HoldAnswer,
  type HoldRequest,
  type HoldTable,
} from '../../../platform/sharedState/holds/port.ts'
import { SHARED_STATE_BEAT_MS } from '../../../platform/sharedState/port.ts'
import type { BackgroundWork } from '../backgroundWork.ts'
import type { GatewayViews } from '../views/gatewayViews.ts'
import { untilView } from '../views/untilView.ts'
import type { CallHold } from './callHold.ts'
import { holdLost, holdRefused } from './holdRefusals.ts'

/** A charge is sent under a hold only while this much of the lease is left, the longest time that an append may take. */
const HOLD_CHARGE_LEFT_MS = 6_000
/** How long a call waits for this gateway's view of its balance to catch up. */
const HOLD_VIEW_WAIT_MS = 2_000
/** Releases waiting to be sent to the shared state. */
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
  /** Makes the refusal for an account that does not cover an amount. */
  readonly refusal?: typeof holdRefused
}

type Held = {
  readonly companyId: string
  readonly callId: string
  /** The owner id under which it is held. If this gateway has another owner id by now, the hold is lost. */
  owner: string
  /** The owner id of the last request for it. */
  requestedAs: string
  amountMicros: bigint
  /** A charge may have been sent, so only its outcome ends the hold. */
  isCharging: boolean
}

/** Each attempt may make the next one possible: a new lease, a founded table, a view that caught up, a reaped owner. */
const ATTEMPTS_MAX = 6
/** A request that was given up is usually answered within this time. */
const LATE_ANSWER_MS = 5_000

/**
 * This gateway's holds in the table that all gateways share. One lease covers all of them. When the lease is lost,
 * because this process was suspended or the shared state was unavailable, the gateway registers under a new owner id and
 * places its holds again. A hold for which the balance no longer suffices is lost, and its call fails before it is
 * charged. An account that is held against is usually a company; see budgetAccount.ts for the other kind.
 */
export class HoldKeeper {
  readonly #deps: HoldKeeperDependencies
  readonly #leaseMs: number
  readonly #holds = new Map<string, Held>()
  /** Updates that the table has not received yet, by call. */
  readonly #unsent = new Map<string, () => Promise<void>>()
  readonly #stopping = new AbortController()
  #owner: string
  /** An owner id whose lease must end, because a request under it may arrive at any time. */
  #abandonedOwner: string | null = null
  #leaseEndsMs = Number.NEGATIVE_INFINITY
  #entering: Promise<void> | null = null
  #running: Promise<void> = Promise.resolve()

  constructor(deps: HoldKeeperDependencies) {
    this.#deps = deps
    this.#leaseMs = deps.leaseMs ?? HOLD_LEASE_MS
    this.#owner = deps.ids.uuid()
  }

  /** Succeeds even if the shared state is unavailable: then only calls of companies with a hard cap are refused. */
  async start(): Promise<void> {
    await this.#beat()
    this.#running = this.#run()
  }

  /** Throws a GatewayError if the balance does not cover the amount, or if that cannot be determined. */
  async place(companyId: string, callId: string, amountMicros: bigint): Promise<CallHold> {
    const held: Held = { companyId, callId, owner: '', requestedAs: '', amountMicros, isCharging: false }
    let answer: HoldAnswer
    try {
      answer = await this.#admit(held, amountMicros)
    } catch (error) {
      this.#deps.log.warn({ err: error, callId }, 'hold could not be placed for a company with a hard cap')
      this.#undo(held)
      throw holdLost()
    }
    if (answer.outcome !== 'held') {
      const { refusal = holdRefused, views } = this.#deps
      throw refusal(answer, amountMicros, views.ledgerSeen(companyId).balanceMicros, companyId)
    }
    this.#holds.set(callId, held)
    return {
      cover: (costMicros) => this.#cover(held, costMicros),
      isSafe: () => this.#isSafe(held),
      settle: (position, chargedMicros) => this.#settle(held, position, chargedMicros),
      release: () => this.#release(held),
    }
  }

  /** Releases the hold of a call that has ended, unless a charge may have been sent under it. */
  callEnded(callId: string): void {
    const held = this.#holds.get(callId)
    if (held && !held.isCharging) this.#release(held)
  }

  /** The remaining holds expire with the lease. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    await this.#sendUnsent()
  }

  async #cover(held: Held, costMicros: bigint): Promise<bigint> {
    held.isCharging = true
    // Two requests for one hold could arrive in the other order, and leave the smaller amount.
    await this.#entering?.catch(() => {})
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
    await this.#send(holdId, () => this.#deps.table.settle({ owner, companyId, holdId, position, amountMicros }))
  }

  #release(held: Held): void {
    if (!this.#forget(held)) return
    const { companyId, callId: holdId, owner } = held
    this.#deps.background.add(this.#send(holdId, () => this.#deps.table.release({ owner, companyId, holdId })))
  }

  /** False if the hold has ended, or if a request that found the kept answer has placed its own. */
  #forget(held: Held): boolean {
    return this.#holds.get(held.callId) === held && this.#holds.delete(held.callId)
  }

  /** Enough of the lease is left for a charge to be stored before another gateway may reap this owner. */
  #isSafe({ owner }: Held): boolean {
    return owner === this.#owner && this.#deps.clock.monotonicMs() <= this.#leaseEndsMs - HOLD_CHARGE_LEFT_MS
  }

  async #admit(held: Held, amountMicros: bigint): Promise<HoldAnswer> {
    const { table, views, store, background } = this.#deps
    const { companyId, callId: holdId } = held
    let hasReaped = false
    for (let attempt = 1; ; attempt++) {
      const owner = this.#owner
      held.requestedAs = owner
      const answer = await this.#ask({ owner, companyId, holdId, amountMicros, ...views.ledgerSeen(companyId) })
      if (answer.outcome === 'held') {
        held.owner = owner
        if (answer.lapsed.length > 0) background.add(this.#reap(companyId, answer.lapsed).catch(() => {}))
        return answer
      }
      if (attempt === ATTEMPTS_MAX) return answer
      switch (answer.outcome) {
        case 'lapsed':
          await this.#reenter(owner)
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

  async #ask(request: HoldRequest): Promise<HoldAnswer> {
    try {
      return await this.#deps.table.place(request)
    } catch (error) {
      void this.#fence(request, error)
      throw error
    }
  }

  /**
   * A request without an answer may arrive after everything that is sent later, if the network holds back its connection,
   * and its hold would last as long as this gateway renews the lease. So unless the answer comes after all, the lease is
   * left to end, and the other holds are placed again under a new owner id.
   */
  async #fence({ owner, companyId, holdId }: HoldRequest, error: unknown): Promise<void> {
    const { table, clock } = this.#deps
    const { signal } = this.#stopping
    const hasArrived =
      error instanceof NoAnswerInTime &&
      (await settlesWithin(error.late, LATE_ANSWER_MS, clock, signal).catch(() => false))
    if (!hasArrived) this.#abandonedOwner = owner
    else if (!this.#holds.has(holdId)) await this.#send(holdId, () => table.release({ owner, companyId, holdId }))
  }

  /** Every charge that the lapsed owners had sent lies before the head that is read here. */
  async #reap(companyId: string, lapsed: readonly string[]): Promise<Position> {
    const head = await this.#deps.store.head()
    for (const owner of lapsed) await this.#deps.table.reap(companyId, owner, head)
    return head
  }

  #hasSeen(companyId: string, position: Position): Promise<boolean> {
    const { views, clock } = this.#deps
    const endMs = clock.monotonicMs() + HOLD_VIEW_WAIT_MS
    return untilView(() => views.ledgerSeen(companyId).position >= position, endMs, clock)
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
    // The lease is counted from before the request; the table counts it from the arrival, so ours ends first.
    const askedMs = this.#deps.clock.monotonicMs()
    try {
      if (owner === this.#abandonedOwner || !(await this.#deps.table.renew(owner))) await this.#reenter(owner)
      else if (owner === this.#owner) this.#leaseEndsMs = Math.max(this.#leaseEndsMs, askedMs + this.#leaseMs)
      await this.#sendUnsent()
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'lease of the holds could not be renewed')
    }
  }

  /** Runs once for all calls that found the lease expired. */
  async #reenter(lapsed: string): Promise<void> {
    if (this.#owner !== lapsed) return
    this.#entering ??= this.#enter().finally(() => {
      this.#entering = null
    })
    await this.#entering
  }

  async #enter(): Promise<void> {
    const { table, views, clock, ids } = this.#deps
    const owner = ids.uuid()
    const hasLapsed = this.#owner !== this.#abandonedOwner
    const askedMs = clock.monotonicMs()
    await table.enter(owner)
    this.#owner = owner
    this.#leaseEndsMs = askedMs + this.#leaseMs
    // Holds under a lapsed owner id count until they are reaped, so no update for them is worth sending.
    if (hasLapsed) this.#unsent.clear()
    const placeAgain = async (held: Held) => {
      const { companyId, callId: holdId, amountMicros } = held
      const request = { owner, companyId, holdId, amountMicros, ...views.ledgerSeen(companyId), isBroughtBack: true }
      if ((await this.#ask(request)).outcome !== 'held') return
      held.owner = owner
      // Its call has ended meanwhile, under the old owner id.
      if (this.#holds.get(holdId) !== held) await this.#send(holdId, () => table.release({ owner, companyId, holdId }))
    }
    await Promise.allSettled([...this.#holds.values()].map(placeAgain))
  }

  /** Waits for the table, so that the caller's next call sees the change. A failed update is retried with every beat. */
  async #send(callId: string, send: () => Promise<void>): Promise<void> {
    try {
      await send()
    } catch {
      // Beyond the limit the update is dropped, and the hold counts until the lease ends.
      if (this.#unsent.size < HOLD_ENDS_WAITING_MAX) this.#unsent.set(callId, send)
    }
  }

  async #sendUnsent(): Promise<void> {
    const unsent = [...this.#unsent]
    this.#unsent.clear()
    await Promise.all(unsent.map(([callId, send]) => this.#send(callId, send)))
  }

  /** It is unknown whether the hold was placed. */
  #undo({ companyId, callId: holdId, requestedAs: owner }: Held): void {
    const { table, background } = this.#deps
    background.add(this.#send(holdId, () => table.release({ owner, companyId, holdId })))
  }
}
