import {
  type Claimed,
  type ClaimRequest,
  type Holding,
  KEPT_ANSWER_MS,
  type Withdrawal,
} from '../../../capabilities/answerStore/answerStore.ts'
import type { Answers } from '../../contract/answers.ts'
import type { Counters } from '../counters.ts'

const CLAIM_LEASE_MS = 12_000
const ABANDONED_CLAIM_MS = 40_000

type Claim = {
  fingerprint: string
  callId: string
  holder: string
  leasedToMs: number
  expiresAtMs: number
  settled: boolean
  answer: Buffer | null
}

/** The table of claims in memory: each method is one statement, or the two that the SQL needs. */
export class MemoryAnswers implements Answers {
  readonly claims = new Map<string, Claim>()
  readonly #nowMs: () => number
  readonly #counters: Counters

  constructor(nowMs: () => number, counters: Counters) {
    this.#nowMs = nowMs
    this.#counters = counters
  }

  async claim({ scope, fingerprint, callId, holder, nowMs, silent }: ClaimRequest): Promise<Claimed> {
    const leasedToMs = this.#nowMs() + CLAIM_LEASE_MS
    const found = this.claims.get(scope)
    const isExpired = found !== undefined && found.expiresAtMs <= nowMs
    if (!found || isExpired) {
      const claim = { fingerprint, callId, holder, leasedToMs, expiresAtMs: nowMs + KEPT_ANSWER_MS }
      this.claims.set(scope, { ...claim, settled: false, answer: null })
      return { is: 'claimed' }
    }
    const isSilent = silent?.holder === found.holder && silent.leasedTo === String(found.leasedToMs)
    const isFree = !found.settled && (found.leasedToMs <= this.#nowMs() || isSilent)
    if (isFree && (found.answer === null || found.fingerprint === fingerprint)) {
      Object.assign(found, { fingerprint, holder, leasedToMs })
      this.#counters.hit(found.answer === null ? 'a claim is taken over' : 'a kept answer is inherited')
      if (found.answer !== null) return { is: 'inherited', callId: found.callId, sealed: found.answer }
      Object.assign(found, { callId, expiresAtMs: nowMs + KEPT_ANSWER_MS })
      return { is: 'claimed' }
    }
    if (found.fingerprint !== fingerprint) return { is: 'another body' }
    if (!found.settled || !found.answer) {
      return { is: 'in progress', lease: { holder: found.holder, leasedTo: String(found.leasedToMs) } }
    }
    return { is: 'settled', callId: found.callId, sealed: found.answer }
  }

  async renew(held: readonly Holding[]): Promise<string[]> {
    return held.flatMap((holding) => {
      const found = this.#held(holding)
      if (!found || found.leasedToMs === Number.NEGATIVE_INFINITY) return []
      found.leasedToMs = this.#nowMs() + CLAIM_LEASE_MS
      return holding.holder
    })
  }

  async keep(holding: Holding, answer: Buffer): Promise<boolean> {
    return this.#change(holding, { answer })
  }

  async settle(scope: string, callId: string): Promise<boolean> {
    const found = this.claims.get(scope)
    if (found?.callId !== callId) return false
    found.settled = true
    return true
  }

  async release(holding: Holding): Promise<boolean> {
    return this.#change(holding, { leasedToMs: Number.NEGATIVE_INFINITY })
  }

  async giveUp(holding: Holding, callId: string): Promise<boolean> {
    if (this.#held(holding)) return this.claims.delete(holding.scope)
    return this.claims.get(holding.scope)?.callId !== callId
  }

  async withdraw({ scope, holder }: Holding, callId: string): Promise<Withdrawal> {
    const found = this.claims.get(scope)
    if (found?.callId !== callId) return 'withdrawn'
    if (found.settled) return 'charged'
    const isAbandoned = found.leasedToMs <= this.#nowMs() - ABANDONED_CLAIM_MS
    if (found.holder !== holder && !isAbandoned) return 'inherited'
    this.claims.delete(scope)
    return 'withdrawn'
  }

  #held({ scope, holder }: Holding): Claim | null {
    const found = this.claims.get(scope)
    return found?.holder === holder ? found : null
  }

  #change(holding: Holding, changes: Partial<Claim>): boolean {
    const found = this.#held(holding)
    if (found) Object.assign(found, changes)
    return found !== null
  }
}
