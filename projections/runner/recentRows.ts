import type { Row } from '../projection.ts'

/** How many rows are kept per model and partition. */
const ROWS_MAX = 500

const NO_ROWS: ReadonlyMap<string, Row> = new Map()

/**
 * The rows of a model that this process changed last, with the mark of the checkpoint that it wrote with them. While
 * the checkpoint has this mark, no other runner or rebuild has written rows, so these need not be read again.
 */
export class RecentRows {
  #mark: string | null = null
  #rows = new Map<string, Row>()

  /** The known rows that are stored with the checkpoint of this mark. */
  at(mark: string): ReadonlyMap<string, Row> {
    return this.#mark === mark ? this.#rows : NO_ROWS
  }

  /** Adds rows after the transaction that wrote them has committed. */
  stored(markBefore: string, mark: string, rows: ReadonlyMap<string, Row>): void {
    if (this.#mark !== markBefore) this.#rows = new Map()
    this.#mark = mark
    for (const [key, row] of rows) {
      // Deleted first, so that it becomes the newest.
      this.#rows.delete(key)
      this.#rows.set(key, row)
    }
    for (const key of this.#rows.keys()) {
      if (this.#rows.size <= ROWS_MAX) break
      this.#rows.delete(key)
    }
  }
}
