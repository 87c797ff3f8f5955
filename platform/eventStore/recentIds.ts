/** Enough for views of a feed that may deliver twice: at 1,000 events per second, the ids of at least 100 s. */
export const IDS_REMEMBERED_MAX = 200_000

/**
 * Recognises recent event ids: at least half as many as the limit. The ids are kept in two sets; when the newer set is
 * full the older one is dropped, so removing ids costs nothing.
 */
export class RecentIds {
  readonly #perSet: number
  #newer = new Set<string>()
  #older = new Set<string>()

  constructor(idsMax: number) {
    this.#perSet = Math.ceil(idsMax / 2)
  }

  /** Whether the id was seen before. It counts as seen from now on. */
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
