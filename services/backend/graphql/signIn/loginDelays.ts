import type { Clock } from '../../../../platform/clock/clock.ts'

/** Wrong passwords that cost no delay: people mistype. */
export const FREE_FAILURES = 5
const FIRST_DELAY_MS = 1_000
const DELAY_MS_MAX = 15 * 60_000
/** Wrong passwords for one account, from all networks together, after which attempts from networks that it does not know wait. */
export const ACCOUNT_FREE_FAILURES = 20
/** How long such a network waits before each attempt. A longer wait would lock out an owner who travels. */
export const ACCOUNT_DELAY_MS = 30_000
/** Failures are forgotten after this long without another one. */
const FORGOTTEN_AFTER_MS = 60 * 60_000
/** More than one site of IPv6 has networks: a caller whose wait is forgotten has to wait again. */
const PAIRS_MAX = 100_000
const ACCOUNTS_MAX = 10_000

type Failures = { readonly count: number; readonly lastAtMs: number; readonly retryAtMs: number }

/**
 * Delays log-ins that fail again and again. By network and account together, each further failure doubles the delay: guesses
 * from one network do not lock out the owner of the account, who comes from another one. By account alone, guesses from many
 * networks make every network wait for a while before each attempt, except those from which the account was signed in: the
 * owner gets in at once from a known network, and after one wait from another.
 */
export class LoginDelays {
  readonly #clock: Clock
  readonly #byPair = new Recent<Failures>(PAIRS_MAX)
  readonly #byAccount = new Recent<Omit<Failures, 'retryAtMs'>>(ACCOUNTS_MAX)
  readonly #known = new Recent<true>(ACCOUNTS_MAX)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How long the next attempt has to wait; 0 if it may be made now. */
  waitMs(network: string, account: string): number {
    const pair = `${network} ${account}`
    const nowMs = this.#clock.monotonicMs()
    const failures = this.#recent(this.#byPair.get(pair))
    if (failures) return Math.max(0, failures.retryAtMs - nowMs)
    const delayMs = this.#accountDelayMs(pair, account)
    if (delayMs > 0) this.#byPair.set(pair, { count: 0, lastAtMs: nowMs, retryAtMs: nowMs + delayMs })
    return delayMs
  }

  failed(network: string, account: string): void {
    const pair = `${network} ${account}`
    const nowMs = this.#clock.monotonicMs()
    const count = (this.#recent(this.#byPair.get(pair))?.count ?? 0) + 1
    this.#byAccount.set(account, { count: this.#accountFailures(account) + 1, lastAtMs: nowMs })
    const pairDelayMs = count < FREE_FAILURES ? 0 : FIRST_DELAY_MS * 2 ** (count - FREE_FAILURES)
    const delayMs = Math.max(Math.min(pairDelayMs, DELAY_MS_MAX), this.#accountDelayMs(pair, account))
    this.#byPair.set(pair, { count, lastAtMs: nowMs, retryAtMs: nowMs + delayMs })
  }

  /** The password was right: takes back the failure that was counted in advance. */
  succeeded(network: string, account: string): void {
    const pair = `${network} ${account}`
    this.#byPair.delete(pair)
    this.#known.set(pair, true)
    const failures = this.#byAccount.get(account)
    if (failures) this.#byAccount.set(account, { ...failures, count: failures.count - 1 })
  }

  #accountDelayMs(pair: string, account: string): number {
    return this.#accountFailures(account) > ACCOUNT_FREE_FAILURES && !this.#known.get(pair) ? ACCOUNT_DELAY_MS : 0
  }

  #accountFailures(account: string): number {
    return this.#recent(this.#byAccount.get(account))?.count ?? 0
  }

  #recent<Entry extends { readonly lastAtMs: number }>(entry: Entry | undefined): Entry | undefined {
    return entry && this.#clock.monotonicMs() - entry.lastAtMs < FORGOTTEN_AFTER_MS ? entry : undefined
  }
}

/** A map that keeps only the most recently set entries. */
class Recent<Entry> {
  readonly #max: number
  /** A Map iterates in insertion order. */
  readonly #entries = new Map<string, Entry>()

  constructor(max: number) {
    this.#max = max
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)
  }

  set(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#max) return
      this.#entries.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}
