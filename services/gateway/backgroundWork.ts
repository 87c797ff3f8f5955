/** Work that no caller waits for, but that a shutdown must not lose: records of failures, reversals, counted tokens. */
export class BackgroundWork {
  readonly #pending = new Set<Promise<unknown>>()

  get size(): number {
    return this.#pending.size
  }

  /** The promise must not reject: who adds it handles its failure. */
  add(work: Promise<unknown>): void {
    this.#pending.add(work)
    work.finally(() => this.#pending.delete(work))
  }

  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled([...this.#pending])
  }
}
