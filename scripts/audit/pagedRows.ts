/** Rows that are read a page at a time and examined one by one. */
export class PagedRows<Row> {
  readonly #pages: AsyncIterator<readonly Row[]>
  #page: readonly Row[] = []
  #at = 0
  #hasEnded = false

  constructor(pages: AsyncIterable<readonly Row[]>) {
    this.#pages = pages[Symbol.asyncIterator]()
  }

  /** Whether the next row is only known after `turnPage`. Awaiting every row would take longer than reading it. */
  get isAtPageEnd(): boolean {
    return this.#at === this.#page.length && !this.#hasEnded
  }

  async turnPage(): Promise<void> {
    while (this.isAtPageEnd) {
      const next = await this.#pages.next()
      if (next.done) this.#hasEnded = true
      else {
        this.#page = next.value
        this.#at = 0
      }
    }
  }

  /** The next row of this page; null after the last one. */
  get next(): Row | null {
    return this.#page[this.#at] ?? null
  }

  /** Skips the next row. */
  advance(): void {
    this.#at += 1
  }

  /** The next row, awaited at once. For rows that are few or not urgent. */
  async take(): Promise<Row | null> {
    if (this.isAtPageEnd) await this.turnPage()
    const row = this.next
    if (row !== null) this.advance()
    return row
  }
}

/** Reads the next page while the caller works on this one. `read` gets the last row of the previous page. */
export async function* readPages<Row>(
  read: (after: Row | null) => Promise<readonly Row[]>,
  pageRows: number,
): AsyncIterable<readonly Row[]> {
  let next: Promise<readonly Row[]> | null = read(null)
  while (next) {
    const rows: readonly Row[] = await next
    const last = rows.at(-1)
    next = last !== undefined && rows.length === pageRows ? read(last) : null
    // A caller may stop before it asks for that page.
    next?.catch(() => {})
    yield rows
  }
}
