import type { AnswerStore } from '../../../capabilities/answerStore/answerStore.ts'
import type { BookingDraft, LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import type { UnsettledCall, UnsettledCalls } from '../../../capabilities/unsettledCalls/unsettledCalls.ts'
import type { Recorded } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import type { Position } from '../../../contracts/position.ts'
import { streamName } from '../../../contracts/streams.ts'
import { type Clock, isoTime } from '../../../platform/clock/clock.ts'
import type { AppendResult, TypedEventStore } from '../../../platform/eventStore/port.ts'
import { AppendStillUnknown } from '../../../platform/eventStore/pursuit.ts'
import type { Log } from '../../../platform/logger/logger.ts'

/** Calls that are settled at the same time; further ones wait, so that a start after an outage does not overload it. */
export const SETTLEMENTS_AT_ONCE = 32
const RETRY_MS = 1_000

const ACTOR = { kind: 'system', name: 'gateway' } as const
const FAILED = 'ledger_unavailable'
const REVERSED = 'the caller was told that the call failed'

/** How a call ended on the ledger. */
export type Settled =
  | { readonly as: 'failed' }
  /** `charged`: a later request with the same Idempotency-Key has got the answer for this charge. */
  | { readonly as: 'reversed' | 'charged'; readonly position: Position }

export type SettlementDependencies = {
  readonly calls: Pick<UnsettledCalls, 'record' | 'remove' | 'list'>
  readonly answers: Pick<AnswerStore, 'withdraw'>
  readonly ledger: Pick<LedgerWriter, 'draft' | 'bookOnce'>
  readonly store: Pick<TypedEventStore, 'readStream'>
  readonly clock: Clock
  readonly log: Log
}

type Waiting = { readonly unsettled: UnsettledCall; resolve(settled: Settled): void }

/**
 * Ends calls whose callers were told that they failed, while the charge may be on the ledger. Every step can be repeated
 * by this process or another one: the claim of the Idempotency-Key is withdrawn, so that no request can charge the call
 * any more; CallFailed is appended under the event id of the charge, so that the store keeps one of the two; a charge
 * that was there first is reversed; the file is removed.
 */
export class Settlement {
  readonly #deps: SettlementDependencies
  readonly #waiting: Waiting[] = []
  readonly #stopping = new AbortController()
  #underWay = 0

  constructor(deps: SettlementDependencies) {
    this.#deps = deps
  }

  /** Called before the caller is told. If it fails, the call is still settled, unless this process ends before. */
  async record(unsettled: UnsettledCall): Promise<void> {
    const { calls, log } = this.#deps
    await calls.record(unsettled).catch((error: unknown) => {
      log.error({ err: error, callId: unsettled.call.callId }, 'unsettled call could not be recorded on the disk')
    })
  }

  /** Retries until the call is settled, or until this process ends. */
  settle(unsettled: UnsettledCall): Promise<Settled> {
    return new Promise((resolve) => this.#add({ unsettled, resolve }))
  }

  /** Starts to settle the calls that earlier processes left, and resolves with one promise for each. */
  async resume(): Promise<Promise<Settled>[]> {
    const { calls, log } = this.#deps
    const left = await calls.list()
    for (const file of left.damaged) log.error({ file }, 'file of an unsettled call cannot be read')
    if (left.calls.length > 0) log.warn({ calls: left.calls.length }, 'settling calls of an earlier process')
    return left.calls.map((unsettled) => this.settle(unsettled))
  }

  stop(): void {
    this.#stopping.abort()
  }

  #add(waiting: Waiting): void {
    this.#waiting.push(waiting)
    this.#next()
  }

  #next(): void {
    while (this.#underWay < SETTLEMENTS_AT_ONCE && !this.#stopping.signal.aborted) {
      const waiting = this.#waiting.shift()
      if (!waiting) return
      this.#underWay++
      void this.#try(waiting).finally(() => {
        this.#underWay--
        this.#next()
      })
    }
  }

  async #try(waiting: Waiting): Promise<void> {
    const { calls, log } = this.#deps
    const { callId } = waiting.unsettled.call
    try {
      const settled = await this.#steps(waiting.unsettled)
      if (settled) {
        await calls.remove(callId)
        log.warn({ callId, as: settled.as }, 'call of unknown outcome was settled')
        waiting.resolve(settled)
        return
      }
    } catch (error) {
      log.warn({ err: error, callId }, 'call of unknown outcome could not be settled yet')
    }
    void this.#pause(RETRY_MS).then(() => this.#add(waiting))
  }

  /** Null while another request holds the kept answer: that one ends the call, unless it dies. */
  async #steps({ call, claim, from }: UnsettledCall): Promise<Settled | null> {
    const { answers, ledger, clock } = this.#deps
    const { callId } = call
    const withdrawal = claim ? await answers.withdraw(claim, callId) : 'withdrawn'
    if (withdrawal === 'inherited') return null
    const failure = ledger.draft({ type: 'FailCall', call, reason: FAILED, tokensAbandoned: null })
    const end = await this.#read(call.companyId, callId, await this.#booked(failure, callId, from))
    if (end.type === 'CallFailed') return { as: 'failed' }
    if (end.type !== 'CallCharged') throw new Error(`${end.type} has the event id of call ${callId}`)
    const { position, revision } = end
    if (withdrawal === 'charged') return { as: 'charged', position }
    const at = isoTime(clock.now())
    const reversal = ledger.draft({ type: 'ReverseCharge', charge: end.data, reason: REVERSED, at })
    await this.#booked(reversal, callId, revision + 1)
    return { as: 'reversed', position }
  }

  async #booked(draft: BookingDraft, callId: string, from: number): Promise<AppendResult> {
    try {
      return await this.#deps.ledger.bookOnce(draft, callId, ACTOR, from)
    } catch (error) {
      if (!(error instanceof AppendStillUnknown)) throw error
      error.giveUp()
      return error.settled
    }
  }

  /** The event that the store has under the id of the call: the failure, or a charge that was there before it. */
  async #read(companyId: string, callId: string, { revision }: AppendResult): Promise<Recorded<LedgerEvent>> {
    const stream = streamName('ledger', companyId)
    for await (const event of this.#deps.store.readStream(stream, { from: revision, limit: 1 })) {
      if (event.id === callId) return event
    }
    throw new Error(`revision ${revision} of ${stream} is not the end of call ${callId}`)
  }

  #pause(ms: number): Promise<void> {
    return this.#deps.clock.delay(ms, this.#stopping.signal)
  }
}
