export type Taken = 'taken' | 'share used up' | 'full'

/**
 * A limit that holders share. A holder may take as much as is still free: one that asks for everything gets half of the
 * limit, two get a third each, and there is always room left for a holder that comes later.
 */
export class FairShare {
  readonly #max: number
  readonly #held = new Map<string, number>()
  #used = 0

  constructor(max: number) {
    this.#max = max
  }

  get used(): number {
    return this.#used
  }

  /** null: a holder without a share, which may take all that is free. */
  take(holder: string | null, amount: number): Taken {
    const free = this.#max - this.#used
    if (amount > free) return 'full'
    if (holder !== null) {
      const held = (this.#held.get(holder) ?? 0) + amount
      if (held > free) return 'share used up'
      this.#held.set(holder, held)
    }
    this.#used += amount
    return 'taken'
  }

  /** Gives back what the holder took. */
  give(holder: string | null, amount: number): void {
    this.#used -= amount
    if (holder === null) return
    const held = (this.#held.get(holder) ?? 0) - amount
    if (held > 0) this.#held.set(holder, held)
    else this.#held.delete(holder)
  }
}
