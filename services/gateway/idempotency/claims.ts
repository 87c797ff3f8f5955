import { CLAIM_RENEWAL_MS, type ClaimLease, type Holding } from '../../../capabilities/answerStore/answerStore.ts'
import { Vault } from '../../../capabilities/answerStore/vault.ts'
import { within } from '../../../platform/clock/within.ts'
import { GatewayError } from '../gatewayError.ts'
import type { Caller } from '../requestContext.ts'
import { Claim, type ClaimDependencies } from './claim.ts'
import { type KeptAnswer, unpackAnswer } from './keptAnswer.ts'
import { CLAIM_SILENCE_MS, SilenceWatch } from './silenceWatch.ts'

/** How long a second call with the same key waits for the first, and its polling intervals. */
export const CLAIM_WAIT_MS = 30_000
const CLAIM_POLL_MS = { first: 25, last: 1_000 } as const

export type ClaimWanted = {
  readonly rawKey: string
  /** Company, key, path and Idempotency-Key together identify a repeated call. */
  readonly scope: readonly string[]
  readonly body: Buffer
  readonly caller: Caller
}

/** A claim for a call to be made, or a kept answer; both if the charge of the answer has to be booked first. */
export type Taken =
  | { readonly claim: Claim; readonly kept: null }
  | { readonly claim: Claim | null; readonly kept: KeptAnswer }

const RETRY_AFTER_SECONDS = 5
/** Less than the silence after which another request takes a claim. */
const CERTAIN_MS = CLAIM_SILENCE_MS - 400

type Held = {
  readonly holding: Holding
  /** When the last request was sent that has renewed the claim. */
  renewedAtMs: number
}

/** The claims of this gateway's calls, renewed while there are any. */
export class Claims {
  readonly #deps: ClaimDependencies
  readonly #held = new Map<string, Held>()
  readonly #stopping = new AbortController()
  #renewing = false

  constructor(deps: ClaimDependencies) {
    this.#deps = deps
  }

  /** Waits for another call with the same key that is in progress. Throws when that takes too long, or if its body differs. */
  async take({ rawKey, scope, body, caller }: ClaimWanted): Promise<Taken> {
    const { store, clock, ids } = this.#deps
    const vault = new Vault(rawKey)
    const holding = { scope: vault.mark(JSON.stringify(scope)), holder: ids.uuid() }
    const claimRequest = { ...holding, fingerprint: vault.mark(body), callId: ids.timeOrderedUuid() }
    const waitsUntil = clock.now() + CLAIM_WAIT_MS
    const watch = new SilenceWatch()
    let silent: ClaimLease | undefined
    for (let pauseMs: number = CLAIM_POLL_MS.first; ; pauseMs = Math.min(2 * pauseMs, CLAIM_POLL_MS.last)) {
      const askedMs = clock.monotonicMs()
      const found = await store.claim({ ...claimRequest, nowMs: clock.now(), silent })
      switch (found.is) {
        case 'claimed':
          return { claim: this.#hold(claimRequest.callId, holding, vault, askedMs), kept: null }
        case 'inherited':
          return {
            claim: this.#hold(found.callId, holding, vault, askedMs),
            kept: unpackAnswer(vault.open(found.sealed, found.callId)),
          }
        case 'settled':
          return { claim: null, kept: unpackAnswer(vault.open(found.sealed, found.callId)) }
        case 'another body':
          throw new GatewayError(
            'idempotencyKeyReused',
            "This 'Idempotency-Key' was sent with another body before. Send each call with a key of its own.",
          )
        case 'in progress':
          // Tried after each poll, because the claim may have changed.
          silent = watch.look(found.lease, clock.monotonicMs()) && !silent ? found.lease : undefined
          if (silent) continue
          if (clock.now() >= waitsUntil || caller.destroyed) throw callInProgress()
          await clock.delay(watch.pauseMs(pauseMs))
      }
    }
  }

  stop(): void {
    this.#stopping.abort()
  }

  #hold(callId: string, holding: Holding, vault: Vault, askedMs: number): Claim {
    const held: Held = { holding, renewedAtMs: askedMs }
    this.#held.set(holding.holder, held)
    if (!this.#renewing) void this.#renew()
    return new Claim(this.#deps, callId, holding, vault, {
      isCertain: () => this.#deps.clock.monotonicMs() - held.renewedAtMs < CERTAIN_MS,
      stop: () => void this.#held.delete(holding.holder),
    })
  }

  /** One query renews all claims; none is sent while there are none. */
  async #renew(): Promise<void> {
    const { clock, log } = this.#deps
    const { signal } = this.#stopping
    this.#renewing = true
    let isFailing = false
    while (this.#held.size > 0 && !signal.aborted) {
      await clock.delay(CLAIM_RENEWAL_MS, signal)
      if (this.#held.size === 0 || signal.aborted) continue
      // A query that hangs on a broken connection must not hold up the next renewal.
      const renewed = within(this.#renewAll(), CLAIM_RENEWAL_MS, clock)
      isFailing = await renewed.then(
        () => false,
        (error: unknown) => {
          const facts = { err: error, claims: this.#held.size }
          if (!isFailing) log.warn(facts, 'claims of Idempotency-Keys could not be renewed')
          return true
        },
      )
    }
    this.#renewing = false
  }

  async #renewAll(): Promise<void> {
    const askedMs = this.#deps.clock.monotonicMs()
    const holders = await this.#deps.store.renew([...this.#held.values()].map(({ holding }) => holding))
    for (const holder of holders) {
      const held = this.#held.get(holder)
      if (held) held.renewedAtMs = Math.max(held.renewedAtMs, askedMs)
    }
  }
}

export function callInProgress(): GatewayError {
  return new GatewayError(
    'idempotencyInProgress',
    "The first call with this 'Idempotency-Key' has not ended yet. Retry to get its answer.",
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  )
}
