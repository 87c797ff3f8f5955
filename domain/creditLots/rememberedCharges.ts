import type { Spending } from './lot.ts'

/**
 * Where charges took their credits from, for as long as they may be reversed. A charge is kept for at least `keptMs` of
 * ledger time and for less than twice as long: when a generation is full, the one before it is forgotten as a whole. So
 * the memory is that of the charges of twice the bound, about 400 bytes each, however long the ledger is.
 */
export class RememberedCharges {
  readonly #keptMs: number
  #recent = new Map<string, Spending>()
  #earlier = new Map<string, Spending>()
  #recentSinceMs: number | null

  constructor(keptMs: number, recentSinceMs: number | null = null) {
    this.#keptMs = keptMs
    this.#recentSinceMs = recentSinceMs
  }

  get recentSinceMs(): number | null {
    return this.#recentSinceMs
  }

  find(chargeId: string): Spending | undefined {
    return this.#recent.get(chargeId) ?? this.#earlier.get(chargeId)
  }

  remember(chargeId: string, spending: Spending, isRecent = true): void {
    const charges = isRecent ? this.#recent : this.#earlier
    charges.set(chargeId, spending)
  }

  forget(chargeId: string): void {
    this.#recent.delete(chargeId)
    this.#earlier.delete(chargeId)
  }

  /** Returns what is forgotten because the ledger has reached this moment. */
  advance(atMs: number): Iterable<Spending> {
    this.#recentSinceMs ??= atMs
    if (atMs < this.#recentSinceMs + this.#keptMs) return []
    const forgotten = this.#earlier.values()
    this.#earlier = this.#recent
    this.#recent = new Map()
    this.#recentSinceMs = atMs
    return forgotten
  }

  all(): { readonly chargeId: string; readonly spending: Spending; readonly isRecent: boolean }[] {
    const rowsOf = (charges: ReadonlyMap<string, Spending>, isRecent: boolean) =>
      [...charges].map(([chargeId, spending]) => ({ chargeId, spending, isRecent }))
    return [...rowsOf(this.#earlier, false), ...rowsOf(this.#recent, true)]
  }

  get size(): number {
    return this.#recent.size + this.#earlier.size
  }
}
