import type { ClaimLease } from '../../../capabilities/answerStore/answerStore.ts'

/**
 * The holder of a claim that was not renewed for this long, while the database answered, has died. It has missed five
 * renewals by then. A stalled process that recovers later can neither keep nor charge its answer.
 */
export const CLAIM_SILENCE_MS = 2_400
/** The longest time between two polls. Beyond it the database itself was slow, which may have delayed the renewals, too. */
export const LOOK_GAP_MS_MAX = 1_500

/** The state of the call that a request waits for. */
export class SilenceWatch {
  #seen: ClaimLease | null = null
  #sinceMs = 0
  #lookedAtMs = 0

  /** Returns whether the holder is silent. */
  look(lease: ClaimLease, nowMs: number): boolean {
    const isRenewed = this.#seen?.holder !== lease.holder || this.#seen.leasedTo !== lease.leasedTo
    if (isRenewed || nowMs - this.#lookedAtMs > LOOK_GAP_MS_MAX) this.#sinceMs = nowMs
    this.#seen = lease
    this.#lookedAtMs = nowMs
    return nowMs - this.#sinceMs >= CLAIM_SILENCE_MS
  }

  /** The pause before the next poll, which does not go beyond the moment when silence is certain. */
  pauseMs(wantedMs: number): number {
    const leftMs = this.#sinceMs + CLAIM_SILENCE_MS - this.#lookedAtMs
    return leftMs > 0 ? Math.min(wantedMs, leftMs) : wantedMs
  }
}
