import type { AnswerStore, Holding } from '../../../capabilities/answerStore/answerStore.ts'
import type { Vault } from '../../../capabilities/answerStore/vault.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { within } from '../../../platform/clock/within.ts'
import type { Ids } from '../../../platform/ids/ids.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import type { BackgroundWork } from '../backgroundWork.ts'
import { type CallCharge, type FinishedAnswer, packAnswer } from './keptAnswer.ts'

const RETRY_MS = 1_000

/** What keeps a claim held. */
export type ClaimRenewal = {
  /** No other request can have taken the claim up to now. */
  readonly isCertain: () => boolean
  readonly stop: () => void
}

export type ClaimStore = Pick<AnswerStore, 'claim' | 'renew' | 'keep' | 'settle' | 'release' | 'giveUp'>

export type ClaimDependencies = {
  readonly store: ClaimStore
  readonly clock: Clock
  readonly ids: Ids
  readonly background: BackgroundWork
  readonly log: Log
}

/**
 * One call's claim to its Idempotency-Key, from before the provider is asked until the call is charged or has failed. If
 * a claim expires and another call takes it, only the second call can write to it.
 */
export class Claim {
  /** The call's id on the ledger, and so the id of its charge. */
  readonly callId: string
  readonly #deps: ClaimDependencies
  readonly holding: Holding
  readonly #vault: Vault
  readonly #renewal: ClaimRenewal
  /** An answer may be stored under this call's id, which another request could find and charge. */
  #mayBeKept = false
  #isCharged = false
  #withdrawn: Promise<boolean> | null = null

  constructor(deps: ClaimDependencies, callId: string, holding: Holding, vault: Vault, renewal: ClaimRenewal) {
    this.#deps = deps
    this.callId = callId
    this.holding = holding
    this.#vault = vault
    this.#renewal = renewal
  }

  /** Called before the charge; a request that finds the answer without its charge books it. False if the claim was lost. */
  async keep(charge: CallCharge, answer: FinishedAnswer): Promise<boolean> {
    const sealed = this.#vault.seal(packAnswer({ ...answer, charge }), this.callId)
    this.#mayBeKept = true
    this.#mayBeKept = await this.#deps.store.keep(this.holding, sealed)
    return this.#mayBeKept
  }

  /**
   * No other request can have found the answer up to now. One that finds it later also finds its charge, if that is on the
   * ledger by now.
   */
  get isCertain(): boolean {
    return this.#renewal.isCertain()
  }

  /**
   * Repeated until it is written: a claim that counts as abandoned lets the settlement of another attempt reverse the
   * charge. So the answer waits for it, unless the claim is certain when the charge is on the ledger. False if the charge
   * is reversed.
   */
  charged(): Promise<boolean> {
    const { store, background } = this.#deps
    this.#isCharged = true
    const message = 'kept answer could not be settled yet'
    const settle = () => store.settle(this.holding.scope, this.callId)
    const settled = this.#written(settle, message).finally(this.#renewal.stop)
    background.add(settled)
    return settled
  }

  /**
   * The call has failed and the key is free again. True if no request can charge the call any more. False if another
   * request has found its answer and completes it.
   */
  withdraw(): Promise<boolean> {
    this.#withdrawn ??= this.#giveUp().finally(this.#renewal.stop)
    return this.#withdrawn
  }

  async #giveUp(): Promise<boolean> {
    const { store, clock, log } = this.#deps
    for (;;) {
      try {
        return await store.giveUp(this.holding, this.callId)
      } catch (error) {
        log.warn({ err: error, callId: this.callId }, 'claim of a failed call could not be released yet')
        // Without a stored answer it is enough that the claim expires.
        if (!this.#mayBeKept) return true
        await clock.delay(RETRY_MS)
      }
    }
  }

  /**
   * Keeps the answer, so that the next request can book its charge. Repeated until it is written: until then, the
   * settlement of the call waits for the claim to count as abandoned.
   */
  release(): void {
    const { store, background } = this.#deps
    this.#renewal.stop()
    const message = 'claim of a kept answer could not be released yet'
    background.add(this.#written(() => store.release(this.holding), message))
  }

  async #written(write: () => Promise<boolean>, message: string): Promise<boolean> {
    const { clock, log } = this.#deps
    for (;;) {
      try {
        return await write()
      } catch (error) {
        log.warn({ err: error, callId: this.callId }, message)
        await clock.delay(RETRY_MS)
      }
    }
  }

  /** The request is over, and a call that was not charged has failed. Waits a moment, so that a retry finds the key free. */
  async end(): Promise<void> {
    if (this.#isCharged) return
    const { background, clock } = this.#deps
    const withdrawn = this.withdraw()
    background.add(withdrawn)
    await within(withdrawn, RETRY_MS, clock).catch(() => {})
  }
}
