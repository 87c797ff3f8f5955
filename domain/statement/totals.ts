import type { StatementLine } from './line.ts'

/** How many names of one kind get their own total, in the order on the statement. The others share a total. */
export const TOTAL_NAMES_MAX = 1_000
/** Aliases, labels and ids of keys contain no parentheses. */
export const OTHER_NAMES = '(other)'
export const NO_LABEL = '(none)'

export type Total = { readonly name: string; entries: number; deltaMicros: bigint }
export const TOTAL_KINDS = ['byType', 'byAlias', 'byKey', 'byLabel'] as const
export type TotalKind = (typeof TOTAL_KINDS)[number]

/** The sums of the lines of a statement. Those by alias, key and label cover charged calls and their reversals. */
export class StatementTotals {
  readonly #sums: Readonly<Record<TotalKind, Map<string, Total>>> = {
    byType: new Map(),
    byAlias: new Map(),
    byKey: new Map(),
    byLabel: new Map(),
  }

  add(line: StatementLine): void {
    for (const [kind, name] of totalNames(line)) this.addTotal(kind, name, 1, line.deltaMicros)
  }

  /** Adds the sums of several lines. Names must come in the order in which they first occur. */
  addTotal(kind: TotalKind, name: string, entries: number, deltaMicros: bigint): void {
    const sums = this.#sums[kind]
    let sum = sums.get(name)
    if (sum === undefined) {
      const shown = sums.size < TOTAL_NAMES_MAX ? name : OTHER_NAMES
      sum = sums.get(shown) ?? { name: shown, entries: 0, deltaMicros: 0n }
      sums.set(shown, sum)
    }
    sum.entries += entries
    sum.deltaMicros += deltaMicros
  }

  /** In the order in which the names first occur. */
  of(kind: TotalKind): Total[] {
    return [...this.#sums[kind].values()]
  }
}

/** The totals that a line counts towards: one by its type, and three more if it is a charged call or the reversal of one. */
export function totalNames({ type, call }: StatementLine): (readonly [TotalKind, string])[] {
  if (call === null || type === 'FAILED') return [['byType', type]]
  return [
    ['byType', type],
    ['byAlias', call.alias],
    ['byKey', call.keyId],
    ['byLabel', call.label ?? NO_LABEL],
  ]
}
