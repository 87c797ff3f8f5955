import type { StoredEvent } from '../events.ts'

export type Row = Readonly<Record<string, unknown>>

/** What the rows of a read model must be, computed from all stored events without the product. */
export type Fold = {
  readonly table: string
  /** The columns that identify a row. */
  readonly key: readonly string[]
  rowsOf(events: readonly StoredEvent[]): readonly Row[]
}

/** Adds amounts up by key. */
export class Sums {
  readonly #rows = new Map<string, Record<string, unknown>>()

  add(key: Row, amounts: Readonly<Record<string, bigint | number | string>>): void {
    const row = this.rowOf(key)
    for (const [name, amount] of Object.entries(amounts)) {
      row[name] = BigInt((row[name] as bigint | undefined) ?? 0) + BigInt(amount)
    }
  }

  /** The row of this key, which may be given other fields. */
  rowOf(key: Row): Record<string, unknown> {
    const id = JSON.stringify(key)
    const row = this.#rows.get(id) ?? { ...key }
    this.#rows.set(id, row)
    return row
  }

  get rows(): readonly Row[] {
    return [...this.#rows.values()]
  }
}

/** The later of two times, the first of which may be missing. */
export function later(one: unknown, other: string): string {
  return typeof one === 'string' && Date.parse(one) > Date.parse(other) ? one : other
}
