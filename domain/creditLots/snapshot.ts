import { Debts } from './debts.ts'
import type { LotTerms } from './facts.ts'
import { type Lot, type LotSums, newLot, noSpending, type Spending } from './lot.ts'
import { RememberedCharges } from './rememberedCharges.ts'

/**
 * All that the fold remembers, as rows without references, in the shape of three tables: lots, charges and debts. Lots
 * stand in the order of their grants, debts in the order in which they are paid.
 */
export type LotsSnapshot = {
  readonly lots: readonly LotRow[]
  readonly charges: readonly ChargeRow[]
  readonly debts: readonly DebtRow[]
  /** When the newest generation of charges began; null before the first fact. */
  readonly recentSinceMs: number | null
}

export const NO_LOTS: LotsSnapshot = { lots: [], charges: [], debts: [], recentSinceMs: null }

export type LotRow = LotTerms & Readonly<LotSums> & { readonly lackingParts: readonly PartRow[] }
/** A charge that may still be reversed. */
export type ChargeRow = { readonly chargeId: string; readonly isRecent: boolean; readonly parts: readonly PartRow[] }
export type PartRow = { readonly lotId: string; readonly amountMicros: bigint }
export type DebtRow = {
  /** null for a debt of charges that can no longer be reversed. */
  readonly of: { readonly chargeId: string } | { readonly lackedBy: string } | null
  readonly amountMicros: bigint
}

export type LotsState = {
  readonly lots: Map<string, Lot>
  readonly charges: RememberedCharges
  readonly debts: Debts
}

export function snapshotOf({ lots, charges, debts }: LotsState): LotsSnapshot {
  return {
    lots: [...lots.values()].map(lotRow),
    charges: charges.all().map(({ chargeId, isRecent, spending }) => ({
      ...{ chargeId, isRecent, parts: partRows(spending) },
    })),
    debts: debtRows(debts),
    recentSinceMs: charges.recentSinceMs,
  }
}

export function lotRow({ age: _, lacking, takenMicros, ...lot }: Lot): LotRow {
  return { ...lot, takenMicros: { ...takenMicros }, lackingParts: partRows(lacking) }
}

export function debtRows(debts: Debts): DebtRow[] {
  return debts.all().map(({ spending, amountMicros }) => ({ of: nameOf(spending), amountMicros }))
}

function nameOf(spending: Spending | null): DebtRow['of'] {
  if (spending === null) return null
  const { chargeId, lackedBy } = spending
  if (chargeId !== null) return { chargeId }
  return lackedBy === null ? null : { lackedBy }
}

export function stateOf(snapshot: LotsSnapshot, keptMs: number): LotsState {
  const lots = new Map<string, Lot>()
  for (const { lackingParts: _, takenMicros, ...row } of snapshot.lots) {
    lots.set(row.lotId, { ...newLot(row, lots.size), ...row, takenMicros: { ...takenMicros } })
  }
  const addParts = (spending: Spending, rows: readonly PartRow[]) => {
    for (const { lotId, amountMicros } of rows) spending.parts.push({ lot: known(lots, lotId), amountMicros })
  }
  for (const { lotId, lackingParts } of snapshot.lots) addParts(known(lots, lotId).lacking, lackingParts)
  const charges = new RememberedCharges(keptMs, snapshot.recentSinceMs)
  const spendings = new Map<string, Spending>()
  for (const { chargeId, isRecent, parts } of snapshot.charges) {
    const spending = noSpending({ chargeId })
    addParts(spending, parts)
    spendings.set(chargeId, spending)
    charges.remember(chargeId, spending, isRecent)
  }
  const debts = new Debts()
  for (const { of, amountMicros } of snapshot.debts) {
    if (of === null) debts.add(null, amountMicros)
    else debts.add('chargeId' in of ? known(spendings, of.chargeId) : known(lots, of.lackedBy).lacking, amountMicros)
  }
  return { lots, charges, debts }
}

export function partRows({ parts }: Spending): PartRow[] {
  return parts.map(({ lot, amountMicros }) => ({ lotId: lot.lotId, amountMicros }))
}

export function known<Each>(all: ReadonlyMap<string, Each>, id: string): Each {
  const found = all.get(id)
  if (found === undefined) throw new Error(`a snapshot of lots refers to ${id}, which it does not have`)
  return found
}
