import type { SavedLine } from '../backup/readBackup.ts'

/** The lines of a file, read a page at a time, as one sequence. */
export class SavedLines {
  readonly #pages: AsyncIterator<readonly SavedLine[], void, void>
  #page: readonly SavedLine[] = []
  #taken = 0

  constructor(pages: AsyncIterator<readonly SavedLine[], void, void>) {
    this.#pages = pages
  }

  /** The next lines, at least one; null at the end. `take` says how many of them the caller has used. */
  async ahead(): Promise<readonly SavedLine[] | null> {
    while (this.#taken === this.#page.length) {
      const next = await this.#pages.next()
      if (next.done) return null
      this.#page = next.value
      this.#taken = 0
    }
    if (this.#taken > 0) this.#page = this.#page.slice(this.#taken)
    this.#taken = 0
    return this.#page
  }

  take(lines: number): void {
    this.#taken += lines
  }

  async next(): Promise<SavedLine | null> {
    const first = this.#page[this.#taken] ?? (await this.ahead())?.[0] ?? null
    if (first) this.take(1)
    return first
  }

  /** All lines that were not taken. */
  async *rest(): AsyncIterable<readonly SavedLine[]> {
    for (let page = await this.ahead(); page; page = await this.ahead()) {
      this.take(page.length)
      yield page
    }
  }
}
