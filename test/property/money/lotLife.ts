import { CreditUnits, type Grant } from './creditUnits.ts'

const HOUR = 3_600_000
/** The longest call and its settlement. */
export const EXPIRY_BOOKED_AFTER = 2 * HOUR

/** What the ledger has of each kind. All but the adjustments are never negative. */
export type LedgerSums = Record<
  | 'grants'
  | 'charges'
  | 'reversals'
  | 'refunds'
  | 'adjustments'
  | 'settlements'
  | 'expiries'
  | 'withdrawals'
  | 'reinstatements',
  number
>

export type Rollover = { readonly share: number; readonly expiresAt: number; readonly lotId: string }
export type LotTerms = Grant & { readonly source: string; readonly rollover: Rollover | null }
type Taker = 'refund' | 'dispute' | 'correction'

/** The lots of one company with what the ledger books of them: single credits, and the sums of all that happened. */
export class LotLife {
  readonly units = new CreditUnits()
  readonly terms = new Map<string, LotTerms>()
  readonly sums: LedgerSums = {
    ...{ grants: 0, charges: 0, reversals: 0, refunds: 0, adjustments: 0 },
    ...{ settlements: 0, expiries: 0, withdrawals: 0, reinstatements: 0 },
  }
  readonly #givenBack = new Map<string, number>()
  readonly #taken = new Map<string, Record<Taker, number>>()
  readonly #calls = new Map<string, number>()

  grant(terms: LotTerms, at: number, sum: 'grants' | 'adjustments' | 'settlements' = 'grants'): void {
    this.terms.set(terms.lotId, this.terms.get(terms.lotId) ?? terms)
    this.units.grant(terms, at)
    this.sums[sum] += terms.credits
  }

  charge(callId: string, credits: number, admittedAt: number, sum: 'charges' | 'adjustments' = 'charges'): void {
    this.#calls.set(callId, credits)
    this.units.charge(callId, credits, admittedAt)
    this.sums[sum] += sum === 'charges' ? credits : -credits
  }

  reverse(callId: string, at: number): void {
    this.sums.reversals += this.#calls.get(callId) ?? 0
    this.#calls.delete(callId)
    this.units.reverse(callId, at)
  }

  /** Takes credits of a lot if they are negative, and gives them back if they are positive. */
  move(lotId: string, by: Taker, credits: number, at: number): void {
    const taken = this.takenOf(lotId)
    taken[by] -= credits
    this.#taken.set(lotId, taken)
    const id = `${by} of ${lotId}`
    const moved = credits < 0 ? this.units.take(id, lotId, -credits, at) : this.units.giveBack(id, credits, at)
    if (moved !== Math.abs(credits)) throw new Error(`${id} moved ${moved} of ${credits} credits`)
  }

  takenOf(lotId: string): Record<Taker, number> {
    return this.#taken.get(lotId) ?? { refund: 0, dispute: 0, correction: 0 }
  }

  /** What is to be given back because it had been booked as expired. */
  owedOf(lotId: string): number {
    const needed = this.units.owed.filter((each) => each.lotId === lotId).length
    return needed - (this.#givenBack.get(lotId) ?? 0)
  }

  /** What time brings about by now: repeated until there is nothing left to do. */
  passTime(now: number): void {
    for (let isDone = false; !isDone; ) isDone = !this.#giveBack() && !this.#expire(now) && !this.#rollOver(now)
  }

  get balance(): number {
    return this.units.balance - [...this.terms.keys()].reduce((sum, lotId) => sum + this.owedOf(lotId), 0)
  }

  /** What calls may be admitted on: without credits whose time has passed, of which a share is only about to be renewed. */
  admittedOn(now: number): number {
    const owed = [...this.terms.keys()].reduce((sum, lotId) => sum + this.owedOf(lotId), 0)
    const renewed = this.units.lots().reduce((sum, { lotId, free }) => sum + this.#renewed(lotId, free, now), 0)
    return this.units.usableAt(now) - owed + renewed
  }

  /** The next moments at which lots lose their validity. */
  expiriesAfter(now: number): number[] {
    const times = [...this.terms.values()].flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt]))
    return times.filter((at) => at > now).toSorted((one, other) => one - other)
  }

  #renewed(lotId: string, credits: number, now: number): number {
    const { expiresAt = null, rollover = null } = this.terms.get(lotId) ?? {}
    if (expiresAt === null || expiresAt > now || rollover === null || this.terms.has(rollover.lotId)) return 0
    return Math.floor(credits * rollover.share)
  }

  #giveBack(): boolean {
    let isAny = false
    for (const lotId of this.terms.keys()) {
      const owed = this.owedOf(lotId)
      if (owed === 0) continue
      isAny = true
      this.#givenBack.set(lotId, (this.#givenBack.get(lotId) ?? 0) + owed)
      this.sums.reinstatements += owed
    }
    return isAny
  }

  #expire(now: number): boolean {
    let isAny = false
    for (const { lotId, expiresAt } of this.#byExpiry()) {
      if (expiresAt + EXPIRY_BOOKED_AFTER > now) continue
      const expired = this.units.expire(lotId)
      this.sums.expiries += expired
      isAny ||= expired > 0
    }
    return isAny
  }

  #rollOver(now: number): boolean {
    let isAny = false
    for (const { lotId, expiresAt, rollover } of this.#byExpiry()) {
      if (expiresAt > now || rollover === null || rollover.expiresAt <= now || this.terms.has(rollover.lotId)) continue
      const expired = this.units.lots().find((lot) => lot.lotId === lotId)?.expired ?? 0
      const credits = Math.floor(expired * rollover.share)
      if (credits === 0) continue
      isAny = true
      const terms = { lotId: rollover.lotId, expiresAt: rollover.expiresAt, priority: 0, credits }
      this.grant({ ...terms, source: 'ROLLOVER', rollover: null }, now)
    }
    return isAny
  }

  #byExpiry() {
    return [...this.terms.values()]
      .flatMap((terms) => (terms.expiresAt === null ? [] : [{ ...terms, expiresAt: terms.expiresAt }]))
      .toSorted((one, other) => one.expiresAt - other.expiresAt || (one.lotId < other.lotId ? -1 : 1))
  }
}

/** Credits that do not expire and are used last, such as those from before there were lots. */
export function unlimited(credits: number): LotTerms {
  return { lotId: 'unlimited', source: 'ADJUSTMENT', credits, priority: 0, expiresAt: null, rollover: null }
}
