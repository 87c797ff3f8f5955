import type { AnswerStore, Holding } from '../../platform/answerStore/answerStore.ts'
import type { Vault } from '../../platform/answerStore/vault.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { within } from '../../platform/clock/within.ts'
import type { Ids } from '../../platform/ids/ids.ts'
import type { Log } from '../../platform/log/log.ts'
import type { BackgroundWork } from '../backgroundWork.ts'
import { type CallCharge, type FinishedAnswer, packAnswer } from './keptAnswer.ts'

const RETRY_MS = 1_000

export type ClaimDependencies = {
  readonly store: AnswerStore
  readonly clock: Clock
  readonly ids: Ids
  readonly background: BackgroundWork
  readonly log: Log
}

/**
 * One call's right to be the one that its Idempotency-Key stands for, from before the provider is asked until the call is
 * charged or has failed. Of two who hold it, because the first was taken for dead, only the second can write on it.
 */
export class Claim {
  /** The call's id on the ledger, and so the id of its charge. */
  readonly callId: string
  readonly #deps: ClaimDependencies
  readonly #holding: Holding
  readonly #vault: Vault
  /** No longer to be renewed. */
  readonly #letGo: () => void
  /** An answer under this call's id, which somebody else could find and charge. */
  #mayBeKept = false
  #isCharged = false
  #withdrawn: Promise<boolean> | null = null

  constructor(deps: ClaimDependencies, callId: string, holding: Holding, vault: Vault, letGo: () => void) {
    this.#deps = deps
    this.callId = callId
    this.#holding = holding
    this.#vault = vault
    this.#letGo = letGo
  }

  /** Before the charge: whoever finds the answer without its charge books it. False: somebody else has the claim. */
  async keep(charge: CallCharge, answer: FinishedAnswer): Promise<boolean> {
    const sealed = this.#vault.seal(packAnswer({ ...answer, charge }), this.callId)
    this.#mayBeKept = true
    this.#mayBeKept = await this.#deps.store.keep(this.#holding, sealed)
    return this.#mayBeKept
  }

  /** The caller does not wait for it: until it is written the answer counts as one whose charge has to be booked. */
  charged(): void {
    const { store, background, log } = this.#deps
    this.#isCharged = true
    background.add(
      store
        .settle(this.#holding)
        .catch((error: unknown) => log.warn({ err: error, callId: this.callId }, 'a kept answer could not be settled'))
        .finally(this.#letGo),
    )
  }

  /**
   * The call has failed, and the key is free again. True: nobody will ever charge the call. False: somebody has found its
   * answer, and the rest is theirs.
   */
  withdraw(): Promise<boolean> {
    this.#withdrawn ??= this.#giveUp().finally(this.#letGo)
    return this.#withdrawn
  }

  async #giveUp(): Promise<boolean> {
    const { store, clock, log } = this.#deps
    for (;;) {
      try {
        return await store.giveUp(this.#holding, this.callId)
      } catch (error) {
        log.warn({ err: error, callId: this.callId }, 'the claim of a failed call could not be given up yet')
        // Without an answer the lease runs out, and that is that.
        if (!this.#mayBeKept) return true
        await clock.delay(RETRY_MS)
      }
    }
  }

  /** The answer stays, for the next one to book its charge. */
  release(): void {
    const { store, background } = this.#deps
    this.#letGo()
    background.add(store.release(this.#holding).catch(() => {}))
  }

  /** The request is over: whatever was not charged has failed. Who is told so finds the key free, unless that takes long. */
  async end(): Promise<void> {
    if (this.#isCharged) return
    const { background, clock } = this.#deps
    const withdrawn = this.withdraw()
    background.add(withdrawn)
    await within(withdrawn, RETRY_MS, clock).catch(() => {})
  }
}
