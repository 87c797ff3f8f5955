import type { Lot } from './lot.ts'

/**
 * What a charge costs, or what a lot lacks because credits that were spent were taken from it, and where that comes from:
 * parts of lots, and debts that the next credits pay. Both stand in the order in which they arose, and debts are paid
 * oldest first, so every part is older than every debt.
 */
export type Spending = {
  readonly parts: Part[]
  readonly debts: Debt[]
}

export type Part = { readonly lot: Lot; amountMicros: bigint }

export type Debt = {
  /** null once the charge is forgotten: the debt stays, but whoever pays it is no longer recorded. */
  spending: Spending | null
  amountMicros: bigint
}

export function noSpending(): Spending {
  return { parts: [], debts: [] }
}

export function isNothing({ parts, debts }: Spending): boolean {
  return parts.length === 0 && debts.length === 0
}

export function addPart({ parts }: Spending, lot: Lot, amountMicros: bigint): void {
  const last = parts.at(-1)
  if (last?.lot === lot) last.amountMicros += amountMicros
  else parts.push({ lot, amountMicros })
}

export function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
