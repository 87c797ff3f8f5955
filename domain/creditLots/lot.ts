import type { LotTerms, TakenBy } from './facts.ts'

/** A lot in sums. They hold whatever happened, so no credit needs to be remembered on its own. */
export type Lot = LotTerms &
  LotSums & {
    /** Counts the lots of a company from 0. */
    readonly age: number
    /** Pays for the credits that were taken although they were spent: exactly `lackingMicros`. */
    readonly lacking: Spending
  }

export type LotSums = {
  grantedMicros: bigint
  /** By charges, and by what other lots lack. */
  spentMicros: bigint
  expiredMicros: bigint
  /** Booked as expired, although a charge has burned it: an event has to give it back. */
  owedMicros: bigint
  /** What such events have given back so far. */
  givenBackMicros: bigint
  readonly takenMicros: Record<TakenBy, bigint>
}

/**
 * What a charge costs, or what a lot lacks because credits that were spent were taken from it, and where that comes from:
 * parts of lots, and debts that the next credits pay. Both stand in the order in which they arose, and debts are paid
 * oldest first, so every part is older than every debt.
 */
export type Spending = {
  /** null for what a lot lacks. */
  readonly chargeId: string | null
  /** The lot that lacks the credits; null for a charge. */
  readonly lackedBy: string | null
  readonly parts: Part[]
  readonly debts: Debt[]
}

export type Part = { readonly lot: Lot; amountMicros: bigint }

export type Debt = {
  /** null once the charge is forgotten: the debt stays, but which lot pays it is no longer recorded. */
  spending: Spending | null
  amountMicros: bigint
}

export function newLot({ lotId, source, priority, expiresAtMs, rollover = null }: LotTerms, age: number): Lot {
  return {
    ...{ lotId, source, priority, expiresAtMs, rollover, age },
    ...{ grantedMicros: 0n, spentMicros: 0n, expiredMicros: 0n, owedMicros: 0n, givenBackMicros: 0n },
    takenMicros: { refund: 0n, dispute: 0n, correction: 0n },
    lacking: noSpending({ lackedBy: lotId }),
  }
}

/** Neither spent nor expired nor taken. */
export function leftMicros(lot: LotSums): bigint {
  const rest = restMicros(lot)
  return rest > 0n ? rest : 0n
}

/** Whether a charge can burn the lot: also what has expired, if the charge was admitted before. */
export function isBurnable(lot: Lot): boolean {
  return lot.expiredMicros > 0n || leftMicros(lot) > 0n
}

/** Taken although it was spent. Free credits are taken first, so a lot that lacks credits has none left. */
export function lackingMicros(lot: Lot): bigint {
  const rest = restMicros(lot)
  return rest < 0n ? -rest : 0n
}

export function allTakenMicros({ takenMicros: { refund, dispute, correction } }: Pick<LotSums, 'takenMicros'>): bigint {
  return refund + dispute + correction
}

/**
 * What refunds, disputes and corrections may still take. Until an event gives back what is owed, it counts as expired, so
 * that the events of the ledger never add up to more than the grant either.
 */
export function mayLoseMicros(lot: Lot): bigint {
  const rest = takeableMicros(lot) - lot.owedMicros
  return rest > 0n ? rest : 0n
}

/** What can be taken without exceeding the lot. */
export function takeableMicros(lot: LotSums): bigint {
  return lot.grantedMicros - lot.expiredMicros - allTakenMicros(lot)
}

function restMicros(lot: LotSums): bigint {
  return takeableMicros(lot) - lot.spentMicros
}

type SumChange = { readonly [Sum in Exclude<keyof LotSums, 'takenMicros'>]?: bigint } & {
  readonly takenMicros?: { readonly [Each in TakenBy]?: bigint }
}

/** Adds to the sums of a lot. Throws if that makes them impossible. */
export function changeSums(lot: Lot, { takenMicros, ...change }: SumChange): void {
  lot.grantedMicros += change.grantedMicros ?? 0n
  lot.spentMicros += change.spentMicros ?? 0n
  lot.expiredMicros += change.expiredMicros ?? 0n
  lot.owedMicros += change.owedMicros ?? 0n
  lot.givenBackMicros += change.givenBackMicros ?? 0n
  if (takenMicros) {
    lot.takenMicros.refund += takenMicros.refund ?? 0n
    lot.takenMicros.dispute += takenMicros.dispute ?? 0n
    lot.takenMicros.correction += takenMicros.correction ?? 0n
  }
  requireSound(lot)
}

function requireSound(lot: Lot): void {
  const { lotId, grantedMicros, spentMicros, expiredMicros, owedMicros } = lot
  const taken = allTakenMicros(lot)
  const isSound =
    spentMicros >= 0n &&
    expiredMicros >= 0n &&
    owedMicros >= 0n &&
    spentMicros + expiredMicros <= grantedMicros &&
    expiredMicros + taken <= grantedMicros
  if (isSound) return
  throw new Error(
    `lot ${lotId} cannot be: ${grantedMicros} granted, ${spentMicros} spent, ${expiredMicros} expired, ${taken} taken, ` +
      `${owedMicros} owed`,
  )
}

/** The terms of a lot, its sums, and what follows from them. */
export type LotView = LotTerms &
  Readonly<LotSums> & {
    readonly leftMicros: bigint
    readonly lackingMicros: bigint
    readonly mayLoseMicros: bigint
  }

export function viewOf(lot: Lot): LotView {
  const { lotId, source, priority, expiresAtMs, rollover = null } = lot
  const { grantedMicros, spentMicros, expiredMicros, owedMicros, givenBackMicros, takenMicros } = lot
  return {
    ...{ lotId, source, priority, expiresAtMs, rollover },
    ...{ grantedMicros, spentMicros, expiredMicros, owedMicros, givenBackMicros, takenMicros: { ...takenMicros } },
    ...{ leftMicros: leftMicros(lot), lackingMicros: lackingMicros(lot), mayLoseMicros: mayLoseMicros(lot) },
  }
}

export function noSpending(of: { readonly chargeId: string } | { readonly lackedBy: string }): Spending {
  return { chargeId: null, lackedBy: null, ...of, parts: [], debts: [] }
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
