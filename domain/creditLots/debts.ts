import { type Debt, lesser, type Spending } from './lot.ts'

/** The debts of a company, oldest first. */
export class Debts {
  #queue: Debt[] = []
  /** Debts before this index have ended. */
  #first = 0
  #totalMicros = 0n

  get totalMicros(): bigint {
    return this.#totalMicros
  }

  add(spending: Spending | null, amountMicros: bigint): void {
    this.#totalMicros += amountMicros
    const last = this.#queue.at(-1)
    if (last?.spending === spending && last.amountMicros > 0n) {
      last.amountMicros += amountMicros
      return
    }
    const debt = { spending, amountMicros }
    this.#queue.push(debt)
    spending?.debts.push(debt)
  }

  oldest(): Debt | undefined {
    while (this.#queue[this.#first]?.amountMicros === 0n) this.#first++
    this.#removeEnded()
    return this.#queue[this.#first]
  }

  /** Pays a part of the oldest debt. */
  pay(oldest: Debt, amountMicros: bigint): void {
    this.#lower(oldest, amountMicros)
    if (oldest.amountMicros === 0n) oldest.spending?.debts.shift()
  }

  /** Ends debts of a spending that is undone, the newest first. Returns how much that was. */
  end({ debts }: Spending, upToMicros: bigint): bigint {
    let endedMicros = 0n
    for (let debt = debts.at(-1); debt && endedMicros < upToMicros; debt = debts.at(-1)) {
      const amountMicros = lesser(debt.amountMicros, upToMicros - endedMicros)
      this.#lower(debt, amountMicros)
      endedMicros += amountMicros
      if (debt.amountMicros === 0n) debts.pop()
    }
    return endedMicros
  }

  /** The spending will never be undone, so its debts need no name. Neighbours without a name become one debt. */
  forget(spendings: Iterable<Spending>): void {
    let isAny = false
    for (const { debts } of spendings) {
      for (const debt of debts.splice(0)) {
        debt.spending = null
        isAny = true
      }
    }
    if (!isAny) return
    const queue: Debt[] = []
    for (const debt of this.#queue.slice(this.#first)) {
      const last = queue.at(-1)
      if (debt.amountMicros === 0n) continue
      if (debt.spending === null && last?.spending === null) last.amountMicros += debt.amountMicros
      else queue.push(debt)
    }
    this.#queue = queue
    this.#first = 0
  }

  /** Oldest first, neighbours of one spending as one. */
  all(): Readonly<Debt>[] {
    const all: Debt[] = []
    for (const { spending, amountMicros } of this.#queue.slice(this.#first)) {
      const last = all.at(-1)
      if (amountMicros === 0n) continue
      if (last?.spending === spending) last.amountMicros += amountMicros
      else all.push({ spending, amountMicros })
    }
    return all
  }

  /** How many debts are kept apart. */
  get size(): number {
    return this.#queue.length - this.#first
  }

  #lower(debt: Debt, amountMicros: bigint): void {
    debt.amountMicros -= amountMicros
    this.#totalMicros -= amountMicros
  }

  /** An array is shortened at its beginning in the time of its length, so that is done when half of it has ended. */
  #removeEnded(): void {
    if (this.#first === 0 || this.#first * 2 < this.#queue.length) return
    this.#queue = this.#queue.slice(this.#first)
    this.#first = 0
  }
}
