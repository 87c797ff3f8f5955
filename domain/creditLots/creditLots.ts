import { unexpected } from '../decider.ts'
import { BurnableLots } from './burnableLots.ts'
import type { Debts } from './debts.ts'
import { type LotFact, type LotTerms, UNLIMITED_LOT } from './facts.ts'
import {
  addPart,
  changeSums,
  isBurnable,
  isNothing,
  type Lot,
  type LotView,
  lackingMicros,
  leftMicros,
  lesser,
  newLot,
  noSpending,
  type Spending,
  takeableMicros,
  viewOf,
} from './lot.ts'
import type { RememberedCharges } from './rememberedCharges.ts'
import {
  type DebtRow,
  debtRows,
  known,
  type LotRow,
  type LotsSnapshot,
  lotRow,
  NO_LOTS,
  type PartRow,
  partRows,
  snapshotOf,
  stateOf,
} from './snapshot.ts'

type FactOf<Type extends LotFact['type']> = Extract<LotFact, { type: Type }>
/** What has changed since it was asked last. */
export type LotsChanges = {
  readonly lots: readonly (LotRow & { readonly age: number })[]
  readonly charges: readonly { readonly chargeId: string; readonly parts: readonly PartRow[] }[]
  /** All debts, oldest first. */
  readonly debts: readonly DebtRow[]
}

type LotsOptions = { readonly reversedWithinMs: number; readonly from?: LotsSnapshot }

/**
 * The lots and debts of one company: a fold of the facts of its ledger, each once and in the order of revisions.
 *
 * - A charge burns lots in burn order, those that were valid when it was admitted. What it costs beyond them is a debt.
 * - What is taken from a lot although it was spent is a debt, too. Credits that are free pay debts, the oldest first.
 * - What is undone goes back where it came from. The newest part ends first, so debts end before lots are restored.
 *
 * No fact is refused, because it has happened. Whatever exceeds a lot is burned like a charge, and whatever comes back
 * without a place to go to joins the unlimited lot: the balance is the sum of the ledger for any facts.
 */
export class CreditLots {
  readonly #lots: Map<string, Lot>
  readonly #charges: RememberedCharges
  readonly #debts: Debts
  readonly #burnable = new BurnableLots<Lot>()
  #leftMicros = 0n
  #owedMicros = 0n
  readonly #changedLots = new Set<Lot>()
  readonly #changedCharges = new Map<string, Spending>()

  /**
   * `reversedWithinMs`: a charge that is reversed later is no longer remembered, so its credits join the unlimited lot.
   * `from`: where another fold of the same ledger has ended.
   */
  constructor({ reversedWithinMs, from = NO_LOTS }: LotsOptions) {
    const { lots, charges, debts } = stateOf(from, reversedWithinMs)
    this.#lots = lots
    this.#charges = charges
    this.#debts = debts
    for (const lot of lots.values()) {
      this.#leftMicros += leftMicros(lot)
      this.#owedMicros += lot.owedMicros
      this.#burnable.set(lot, isBurnable(lot))
    }
  }

  snapshot(): LotsSnapshot {
    return snapshotOf({ lots: this.#lots, charges: this.#charges, debts: this.#debts })
  }

  /** Takes the changes, in order to store them. */
  takeChanges(): LotsChanges {
    const changes = {
      lots: [...this.#changedLots].map((lot) => ({ ...lotRow(lot), age: lot.age })),
      charges: [...this.#changedCharges].map(([chargeId, spending]) => ({ chargeId, parts: partRows(spending) })),
      debts: debtRows(this.#debts),
    }
    this.#changedLots.clear()
    this.#changedCharges.clear()
    return changes
  }

  /** Whether it still remembers where the charge took its credits from. */
  remembers(chargeId: string): boolean {
    return this.#charges.find(chargeId) !== undefined
  }

  /** Reminds it of a charge that it has forgotten, before its reversal is added. */
  recall(chargeId: string, parts: readonly PartRow[]): void {
    if (this.remembers(chargeId)) return
    const spending = noSpending({ chargeId })
    for (const { lotId, amountMicros } of parts) spending.parts.push({ lot: known(this.#lots, lotId), amountMicros })
    this.#charges.remember(chargeId, spending)
  }

  add(fact: LotFact): void {
    this.#debts.forget(this.#charges.advance(fact.atMs))
    this.#apply(fact)
    // The debt of a charge is paid by lots that become usable later: those that are left were not valid at its admission.
    if (fact.type !== 'charged') this.#payDebts(fact.atMs)
  }

  /** What is owed to charges that came after an expiry counts as given back. */
  get balanceMicros(): bigint {
    return this.#leftMicros - this.#debts.totalMicros
  }

  /** The sum of the ledger, on which no event has given back yet what is owed. */
  get bookedMicros(): bigint {
    return this.balanceMicros - this.#owedMicros
  }

  get debtMicros(): bigint {
    return this.#debts.totalMicros
  }

  /** How many are kept apart, which determines the memory. */
  get remembered(): { readonly charges: number; readonly debts: number } {
    return { charges: this.#charges.size, debts: this.#debts.size }
  }

  /** What a call admitted at this moment may use: without lots whose time has passed, and negative if there is a debt. */
  usableMicros(admittedAtMs: number): bigint {
    let usable = -this.#debts.totalMicros
    for (const lot of this.#burnable.validAt(admittedAtMs)) usable += leftMicros(lot)
    return usable
  }

  /** Whether all credits are alike, so that it does not matter which of them a charge took. */
  get isUndivided(): boolean {
    return this.#lots.size === 0 || (this.#lots.size === 1 && this.#lots.has(UNLIMITED_LOT.lotId))
  }

  /** In the order of their grants. */
  lots(): LotView[] {
    return [...this.#lots.values()].map(viewOf)
  }

  lot(lotId: string): LotView | null {
    const lot = this.#lots.get(lotId)
    return lot ? viewOf(lot) : null
  }

  #apply(fact: LotFact): void {
    switch (fact.type) {
      case 'granted':
        this.#grant(fact, fact.amountMicros)
        break
      case 'charged':
        this.#charge(fact.chargeId, fact.amountMicros, fact.admittedAtMs)
        break
      case 'reversed':
        this.#grant(UNLIMITED_LOT, this.#reverse(fact.chargeId, fact.amountMicros))
        break
      case 'taken':
        this.#take(fact)
        break
      case 'returned':
        this.#return(fact)
        break
      case 'expired':
        this.#expire(fact)
        break
      case 'expiryGivenBack':
        this.#giveBackExpiry(fact)
        break
      default:
        unexpected(fact)
    }
  }

  #grant(terms: LotTerms, amountMicros: bigint): void {
    if (amountMicros === 0n) return
    const lot = this.#lots.get(terms.lotId) ?? newLot(terms, this.#lots.size)
    this.#lots.set(terms.lotId, lot)
    this.#change(lot, { grantedMicros: amountMicros })
  }

  #charge(chargeId: string, amountMicros: bigint, admittedAtMs: number): void {
    if (amountMicros === 0n) return
    const found = this.#charges.find(chargeId)
    const spending = found ?? noSpending({ chargeId })
    if (!found) this.#charges.remember(chargeId, spending)
    this.#changedCharges.set(chargeId, spending)
    this.#burn(spending, amountMicros, admittedAtMs)
  }

  /** Returns what the charge did not spend, or what is no longer remembered of it. */
  #reverse(chargeId: string, amountMicros: bigint): bigint {
    const spending = this.#charges.find(chargeId)
    if (!spending) return amountMicros
    const rest = this.#undo(spending, amountMicros)
    this.#changedCharges.set(chargeId, spending)
    if (isNothing(spending)) this.#charges.forget(chargeId)
    return rest
  }

  /** Credits that expired are not taken a second time: their expiry is given back instead. */
  #take({ takingId, lotId, by, amountMicros, atMs }: FactOf<'taken'>): void {
    const lot = this.#lots.get(lotId)
    const leftMicros = lot ? lesser(amountMicros, takeableMicros(lot)) : 0n
    const expiredMicros = lot ? lesser(amountMicros - leftMicros, lot.expiredMicros) : 0n
    const takenMicros = leftMicros + expiredMicros
    const owed = { expiredMicros: -expiredMicros, owedMicros: expiredMicros }
    if (lot) this.#change(lot, { takenMicros: { [by]: takenMicros }, ...owed })
    this.#charge(takingId, amountMicros - takenMicros, atMs)
  }

  #return({ takingId, lotId, by, amountMicros }: FactOf<'returned'>): void {
    const restMicros = this.#reverse(takingId, amountMicros)
    const lot = this.#lots.get(lotId)
    const takenMicros = lot ? lesser(restMicros, lot.takenMicros[by]) : 0n
    if (lot) this.#change(lot, { takenMicros: { [by]: -takenMicros } })
    this.#grant(UNLIMITED_LOT, restMicros - takenMicros)
  }

  /** A charge may have been stored between the decision to expire and this fact. It keeps its credits. */
  #expire({ lotId, amountMicros, atMs }: FactOf<'expired'>): void {
    const lot = this.#lots.get(lotId)
    if (lot) {
      const expiredMicros = lesser(amountMicros, leftMicros(lot))
      this.#change(lot, { expiredMicros, owedMicros: amountMicros - expiredMicros })
    } else {
      this.#charge(lotId, amountMicros, atMs)
    }
  }

  #giveBackExpiry({ lotId, amountMicros }: FactOf<'expiryGivenBack'>): void {
    const lot = this.#lots.get(lotId)
    const owedMicros = lot ? lesser(amountMicros, lot.owedMicros) : 0n
    const expiredMicros = lot ? lesser(amountMicros - owedMicros, lot.expiredMicros) : 0n
    const givenBackMicros = owedMicros + expiredMicros
    if (lot) this.#change(lot, { owedMicros: -owedMicros, expiredMicros: -expiredMicros, givenBackMicros })
    this.#grant(UNLIMITED_LOT, amountMicros - givenBackMicros)
  }

  #burn(spending: Spending, amountMicros: bigint, admittedAtMs: number): void {
    let restMicros = amountMicros
    const next = () => (restMicros > 0n ? this.#burnable.first(admittedAtMs) : undefined)
    for (let lot = next(); lot; lot = next()) {
      const freeMicros = lesser(restMicros, leftMicros(lot))
      // Its expiry was decided too early for this charge.
      const expiredMicros = lesser(restMicros - freeMicros, lot.expiredMicros)
      const spentMicros = freeMicros + expiredMicros
      this.#addPart(spending, lot, spentMicros)
      restMicros -= spentMicros
      this.#change(lot, { spentMicros, expiredMicros: -expiredMicros, owedMicros: expiredMicros })
    }
    if (restMicros > 0n) this.#debts.add(spending, restMicros)
  }

  #payDebts(atMs: number): void {
    for (let debt = this.#debts.oldest(); debt; debt = this.#debts.oldest()) {
      const lot = this.#burnable.first(atMs, (each) => leftMicros(each) > 0n)
      if (!lot) return
      const spentMicros = lesser(debt.amountMicros, leftMicros(lot))
      if (debt.spending) this.#addPart(debt.spending, lot, spentMicros)
      this.#debts.pay(debt, spentMicros)
      this.#change(lot, { spentMicros })
    }
  }

  #addPart(spending: Spending, lot: Lot, micros: bigint): void {
    addPart(spending, lot, micros)
    const { chargeId, lackedBy } = spending
    if (chargeId !== null) this.#changedCharges.set(chargeId, spending)
    // The parts that pay for what a lot lacks are stored with that lot, whose sums stay as they are.
    if (lackedBy !== null) this.#changedLots.add(known(this.#lots, lackedBy))
  }

  /** Returns what exceeds the spending. */
  #undo(spending: Spending, amountMicros: bigint): bigint {
    let restMicros = amountMicros - this.#debts.end(spending, amountMicros)
    for (let part = spending.parts.at(-1); part && restMicros > 0n; part = spending.parts.at(-1)) {
      const micros = lesser(restMicros, part.amountMicros)
      part.amountMicros -= micros
      if (part.amountMicros === 0n) spending.parts.pop()
      restMicros -= micros
      this.#change(part.lot, { spentMicros: -micros })
    }
    return restMicros
  }

  /**
   * The only place that changes the sums of a lot. What the lot then lacks more is a debt, and what it lacks less ends debts
   * or frees the lots that paid. This ends: a lot that pays lacks nothing at that moment, so lots never pay in a circle.
   */
  #change(lot: Lot, change: Parameters<typeof changeSums>[1]): void {
    const [left, lacking] = [leftMicros(lot), lackingMicros(lot)]
    changeSums(lot, change)
    this.#changedLots.add(lot)
    this.#owedMicros += change.owedMicros ?? 0n
    this.#leftMicros += leftMicros(lot) - left
    this.#burnable.set(lot, isBurnable(lot))
    const moreMicros = lackingMicros(lot) - lacking
    if (moreMicros > 0n) this.#debts.add(lot.lacking, moreMicros)
    if (moreMicros < 0n) this.#undo(lot.lacking, -moreMicros)
  }
}
