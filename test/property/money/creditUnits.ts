/**
 * The life of credits, one by one: each credit of a lot is an object of its own. Slow, and so plain that it can be checked
 * by reading. It shares nothing with the product and stands beside it: whatever adds up numbers has to agree with it.
 *
 * - A call burns the credits that were valid when it was admitted: those of the highest priority first, then those that
 *   expire first, then the oldest.
 * - What a call costs beyond them, and what is taken of credits that were spent already, is a debt. The next credits pay it.
 * - Credits that expired, and those that were taken by refunds, disputes and corrections, never exceed the lot together.
 *   Neither do those that were spent and those that expired. If more is taken than has not expired, the expiry is undone for
 *   the rest, so that each credit is lost once at most.
 * - Whatever is undone goes back where it came from: a reversed call to the lots that it burned, also those that paid its
 *   debt later; a taking that is given back to the lot that paid for it.
 * - The credits of a lot are all alike. So a charge burns expired ones of a lot only if none is free, and of what a lot
 *   has to be paid for because it was taken although it was spent, the newest ends first: open debts before paid ones.
 */

export type Grant = {
  readonly lotId: string
  readonly credits: number
  /** Of two lots, the one with the higher number is burned first. */
  readonly priority: number
  readonly expiresAt: number | null
}

type Call = { readonly callId: string }
/** A credit of a lot was taken although it was spent: something else has to pay for it. They are numbered by age. */
type Taking = { readonly takingOf: Lot; readonly number: number }
type Use = Call | Taking

class Credit {
  readonly lot: Lot
  /** A call, or a taking of another credit that this one paid for. */
  spentBy: Use | null = null
  takenBy: string | null = null
  hasExpired = false
  constructor(lot: Lot) {
    this.lot = lot
  }

  get isFree(): boolean {
    return this.spentBy === null && this.takenBy === null && !this.hasExpired
  }
}

class Lot {
  readonly grant: Grant
  readonly age: number
  readonly credits: Credit[] = []
  constructor(grant: Grant, age: number) {
    this.grant = grant
    this.age = age
    this.add(grant.credits)
  }

  add(credits: number): void {
    for (let n = 0; n < credits; n++) this.credits.push(new Credit(this))
  }

  isValidAt(at: number): boolean {
    return this.grant.expiresAt === null || this.grant.expiresAt > at
  }

  count(of: (credit: Credit) => boolean): number {
    return this.credits.filter(of).length
  }
}

export type LotView = {
  readonly lotId: string
  readonly granted: number
  readonly spent: number
  readonly expired: number
  readonly taken: number
  readonly free: number
}

/** Credits that had expired when a call or a taking needed them, and have to be given back. */
export type Owed = { readonly neededBy: string; readonly lotId: string }

export class CreditUnits {
  #lots: Lot[] = []
  /** Oldest first. */
  #debts: Use[] = []
  readonly owed: Owed[] = []
  debtsPaid = 0
  #takings = 0

  /** Grants under one name are one lot. */
  grant(grant: Grant, at: number): void {
    const known = this.#lots.find((lot) => lot.grant.lotId === grant.lotId)
    if (known) known.add(grant.credits)
    else this.#lots.push(new Lot(grant, this.#lots.length))
    this.#settle(at)
  }

  charge(callId: string, credits: number, admittedAt: number): void {
    for (let n = 0; n < credits; n++) {
      const credit = this.#next(admittedAt, ['isFree', 'hasExpired'])
      if (credit === undefined) {
        this.#debts.push({ callId })
        continue
      }
      // The call came later than the expiry was decided: the credit is given back to it.
      if (credit.hasExpired) this.owed.push({ neededBy: callId, lotId: credit.lot.grant.lotId })
      credit.hasExpired = false
      credit.spentBy = { callId }
    }
  }

  reverse(callId: string, at: number): void {
    this.#debts = this.#debts.filter((debt) => !('callId' in debt && debt.callId === callId))
    for (const credit of this.#all().filter(
      ({ spentBy }) => spentBy && 'callId' in spentBy && spentBy.callId === callId,
    )) {
      credit.spentBy = null
      // It was taken while it was spent, which something else paid for: now it pays for itself.
      if (credit.takenBy !== null) this.#forgive(credit.lot)
    }
    this.#settle(at)
  }

  /** Ends what is left of a lot. Returns how many credits that were. */
  expire(lotId: string): number {
    const left = this.#lot(lotId).credits.filter(({ isFree }) => isFree)
    for (const credit of left) credit.hasExpired = true
    return left.length
  }

  /** A refund, dispute or correction takes credits of a lot, as many as there are. Returns how many. */
  take(takingId: string, lotId: string, credits: number, at: number): number {
    const lot = this.#lot(lotId)
    const { credits: all } = lot
    const untaken = all.filter(({ takenBy }) => takenBy === null)
    const chosen = [
      ...untaken.filter(({ isFree }) => isFree),
      ...untaken.filter(({ spentBy }) => spentBy !== null),
      ...untaken.filter(({ hasExpired }) => hasExpired),
    ].slice(0, credits)
    for (const credit of chosen) {
      if (credit.spentBy !== null) this.#debts.push({ takingOf: lot, number: this.#takings++ })
      if (credit.hasExpired) this.owed.push({ neededBy: takingId, lotId })
      credit.hasExpired = false
      credit.takenBy = takingId
    }
    this.#settle(at)
    return chosen.length
  }

  /** A refund that failed, or a dispute that was won. Returns how many credits came back. */
  giveBack(takingId: string, credits: number, at: number): number {
    const taken = this.#all().filter(({ takenBy }) => takenBy === takingId)
    const chosen = [...taken.filter(({ spentBy }) => spentBy), ...taken.filter(({ spentBy }) => !spentBy)].slice(
      0,
      credits,
    )
    for (const credit of chosen) {
      credit.takenBy = null
      if (credit.spentBy !== null) this.#forgive(credit.lot)
    }
    this.#settle(at)
    return chosen.length
  }

  get balance(): number {
    return this.#all().filter(({ isFree }) => isFree).length - this.#debts.length
  }

  get debt(): number {
    return this.#debts.length
  }

  /** What a call that is admitted now may burn: without credits whose time has passed, whether that was decided or not. */
  usableAt(at: number): number {
    return this.#all().filter(({ isFree, lot }) => isFree && lot.isValidAt(at)).length - this.#debts.length
  }

  /** The names of the lots, in the order in which calls burn them. */
  burnOrder(): string[] {
    return this.#lots.toSorted(burnedFirst).map(({ grant }) => grant.lotId)
  }

  lots(): LotView[] {
    return this.#lots.map((lot) => ({
      lotId: lot.grant.lotId,
      granted: lot.credits.length,
      spent: lot.count(({ spentBy }) => spentBy !== null),
      expired: lot.count(({ hasExpired }) => hasExpired),
      taken: lot.count(({ takenBy }) => takenBy !== null),
      free: lot.count(({ isFree }) => isFree),
    }))
  }

  #settle(at: number): void {
    while (this.#lots.some((lot) => this.#takesFreeFirst(lot)));
    while (this.#debts.length > 0) {
      const credit = this.#next(at, ['isFree'])
      if (credit === undefined) return
      credit.spentBy = this.#debts.shift() ?? null
      this.debtsPaid++
    }
  }

  /** No credit of a lot counts as taken while it is spent, as long as one that is free could be the one that was taken. */
  #takesFreeFirst(lot: Lot): boolean {
    const free = lot.credits.find(({ isFree }) => isFree)
    const spent = lot.credits.find(({ spentBy, takenBy }) => spentBy && takenBy !== null)
    if (free === undefined || spent === undefined) return false
    free.takenBy = spent.takenBy
    spent.takenBy = null
    this.#forgive(lot)
    return true
  }

  /** Ends the newest debt of a lot from which spent credits were taken, or frees the credit that paid it. */
  #forgive(lot: Lot): void {
    const isOfLot = (use: Use | null): use is Taking => use !== null && 'takingOf' in use && use.takingOf === lot
    const open = this.#debts.findLastIndex(isOfLot)
    if (open >= 0) {
      this.#debts.splice(open, 1)
      return
    }
    const numberOf = ({ spentBy }: Credit) => (isOfLot(spentBy) ? spentBy.number : -1)
    const payer = this.#all().reduce((newest, each) => (numberOf(each) > numberOf(newest) ? each : newest))
    payer.spentBy = null
    if (payer.takenBy !== null) this.#forgive(payer.lot)
  }

  #next(at: number, may: readonly ('isFree' | 'hasExpired')[]): Credit | undefined {
    const order = this.#lots.filter((lot) => lot.isValidAt(at)).toSorted(burnedFirst)
    return order
      .flatMap(({ credits }) => may.map((kind) => credits.find((credit) => credit[kind])))
      .find((credit) => credit !== undefined)
  }

  #lot(lotId: string): Lot {
    const lot = this.#lots.find(({ grant }) => grant.lotId === lotId)
    if (lot === undefined) throw new Error(`there is no lot ${lotId}`)
    return lot
  }

  #all(): Credit[] {
    return this.#lots.flatMap(({ credits }) => credits)
  }
}

function burnedFirst(one: Lot, other: Lot): number {
  const { priority, expiresAt } = one.grant
  if (priority !== other.grant.priority) return other.grant.priority - priority
  const [expires, otherExpires] = [expiresAt, other.grant.expiresAt].map((at) => at ?? Number.POSITIVE_INFINITY)
  if (expires !== otherExpires) return (expires ?? 0) < (otherExpires ?? 0) ? -1 : 1
  return one.age - other.age
}
