/**
 * Knows an event id again, if it was among the newest ones: at least half as many as the limit. Kept in two sets, of
 * which the older is dropped when the newer is full, so that forgetting costs nothing.
 */
export class RecentIds {
  readonly #perSet: number
  #newer = new Set<string>()
  #older = new Set<string>()

  constructor(idsMax: number) {
    this.#perSet = Math.ceil(idsMax / 2)
  }

  /** Whether the id was here before; from now on it was. */
  isRepeated(id: string): boolean {
    if (this.#newer.has(id) || this.#older.has(id)) return true
    if (this.#newer.size >= this.#perSet) {
      this.#older = this.#newer
      this.#newer = new Set()
    }
    this.#newer.add(id)
    return false
  }

  get size(): number {
    return this.#newer.size + this.#older.size
  }
}
