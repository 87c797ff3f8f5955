import { burnedFirst, Lot, type LotTerms, lesser } from './lot.ts'

type Debt = { readonly use: string; readonly number: number; micros: bigint }

/**
 * The lots of one company after the entries of its ledger, written from the documents: docs/admins.md, "Credits that
 * expire", and the comments on the events. Each lot knows what uses it.
 *
 * - A call burns what is free of the lots that were valid at its admission, and what has expired of them already.
 * - What it costs beyond them, and what is taken of a lot although it was used, is a debt, which the next credits pay.
 * - What is undone goes back where it came from, the newest first: debts before uses.
 */
export class LotLedger {
  readonly lots: Lot[] = []
  /** Oldest first. */
  #debts: Debt[] = []
  #numbers = 0

  get debt(): bigint {
    return this.#debts.reduce((sum, { micros }) => sum + micros, 0n)
  }

  lot(lotId: string): Lot | undefined {
    return this.lots.find((lot) => lot.lotId === lotId)
  }

  /** What a call that is admitted now may use. */
  usableAt(atMs: number): bigint {
    return this.lots.filter((lot) => lot.isValidAt(atMs)).reduce((sum, { free }) => sum + free, -this.debt)
  }

  grant(terms: LotTerms, micros: bigint, atMs: number): void {
    this.#add(terms, micros)
    this.#payDebts(atMs)
  }

  charge(use: string, micros: bigint, admittedMs: number): void {
    let rest = micros
    for (const lot of this.#validAt(admittedMs)) {
      const free = lesser(rest, lot.free)
      const late = lesser(rest - free, lot.expired)
      lot.expired -= late
      lot.owed += late
      this.#use(lot, use, free + late)
      rest -= free + late
    }
    this.#owe(use, rest)
  }

  reverse(use: string, micros: bigint, atMs: number): void {
    this.#toUnlimited(this.#undo(use, micros))
    this.#payDebts(atMs)
  }

  /** Takes a part of a lot for good, also what it has spent or what has expired of it. */
  take(lotId: string, reason: string, taking: string, micros: bigint, atMs: number): void {
    const lot = this.lot(lotId)
    const left = lot ? lesser(micros, lot.granted - lot.expired - lot.taken) : 0n
    const expired = lot ? lesser(micros - left, lot.expired) : 0n
    if (lot) {
      lot.takenFor.set(reason, (lot.takenFor.get(reason) ?? 0n) + left + expired)
      lot.expired -= expired
      lot.owed += expired
      this.#balance(lot)
    }
    this.charge(taking, micros - left - expired, atMs)
    this.#payDebts(atMs)
  }

  giveBack(lotId: string, reason: string, taking: string, micros: bigint, atMs: number): void {
    const rest = this.#undo(taking, micros)
    const lot = this.lot(lotId)
    const taken = lot?.takenFor.get(reason) ?? 0n
    const back = lesser(rest, taken)
    lot?.takenFor.set(reason, taken - back)
    if (lot) this.#balance(lot)
    this.#toUnlimited(rest - back)
    this.#payDebts(atMs)
  }

  /** A call may have used the lot since its expiry was decided: what is no longer free is owed to it. */
  expire(lotId: string, micros: bigint, atMs: number): void {
    const lot = this.lot(lotId)
    if (!lot) {
      this.charge(lotId, micros, atMs)
      return
    }
    const expired = lesser(micros, lot.free)
    lot.expired += expired
    lot.owed += micros - expired
    lot.expiries.push(micros)
  }

  reinstate(lotId: string, micros: bigint, atMs: number): void {
    const lot = this.lot(lotId)
    const owed = lesser(micros, lot?.owed ?? 0n)
    const expired = lesser(micros - owed, lot?.expired ?? 0n)
    if (lot) {
      lot.owed -= owed
      lot.expired -= expired
      lot.reinstated.push(micros)
    }
    this.#toUnlimited(micros - owed - expired)
    this.#payDebts(atMs)
  }

  #validAt(atMs: number): Lot[] {
    return this.lots.filter((lot) => lot.isValidAt(atMs)).sort(burnedFirst)
  }

  #toUnlimited(micros: bigint): void {
    if (micros > 0n) this.#add(UNLIMITED, micros)
  }

  /** Grants under one name are one lot. */
  #add(terms: LotTerms, micros: bigint): void {
    const lot = this.lot(terms.lotId) ?? new Lot(terms, this.lots.length)
    if (!this.lots.includes(lot)) this.lots.push(lot)
    lot.granted += micros
    this.#balance(lot)
  }

  #use(lot: Lot, use: string, micros: bigint): void {
    if (micros > 0n) lot.uses.push({ use, micros, number: this.#numbers++ })
  }

  #owe(use: string, micros: bigint): void {
    if (micros > 0n) this.#debts.push({ use, micros, number: this.#numbers++ })
  }

  #payDebts(atMs: number): void {
    for (const debt of this.#debts) {
      for (const lot of this.#validAt(atMs)) {
        const paid = lesser(debt.micros, lot.free)
        debt.micros -= paid
        this.#use(lot, debt.use, paid)
      }
    }
    this.#debts = this.#debts.filter(({ micros }) => micros > 0n)
  }

  /** Returns what exceeds the use. */
  #undo(use: string, micros: bigint): bigint {
    let rest = micros
    const undone = <Part extends { readonly use: string; readonly number: number; micros: bigint }>(part: Part) => {
      const less = lesser(rest, part.micros)
      part.micros -= less
      rest -= less
    }
    const isOfUse = (part: { readonly use: string }) => part.use === use
    for (const debt of this.#debts.filter(isOfUse).sort(newestFirst)) undone(debt)
    this.#debts = this.#debts.filter(({ micros }) => micros > 0n)
    const parts = this.lots.flatMap((lot) => lot.uses.filter(isOfUse).map((part) => ({ lot, part })))
    for (const { lot, part } of parts.sort((a, b) => newestFirst(a.part, b.part))) {
      undone(part)
      lot.uses = lot.uses.filter((each) => each.micros > 0n)
      this.#balance(lot)
    }
    return rest
  }

  /** What a lot lacks is used of others, or owed: neither more nor less. */
  #balance(lot: Lot): void {
    const use = `lacked by ${lot.lotId}`
    const parts = [...this.#debts, ...this.lots.flatMap(({ uses }) => uses)].filter((part) => part.use === use)
    const paid = parts.reduce((sum, { micros }) => sum + micros, 0n)
    if (lot.lacking > paid) this.#owe(use, lot.lacking - paid)
    else this.#undo(use, paid - lot.lacking)
  }
}

export const UNLIMITED: LotTerms = { lotId: 'unlimited', priority: 0, expiresMs: null }

const newestFirst = (one: { readonly number: number }, other: { readonly number: number }) => other.number - one.number
