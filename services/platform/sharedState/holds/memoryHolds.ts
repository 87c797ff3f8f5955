import { LIMITS } from '../../../../contracts/limits.ts'
import { BEGINNING, type Position } from '../../../../contracts/position.ts'
import type { Clock } from '../../clock/clock.ts'
import type { HeldCall, HoldAnswer, HoldRequest, HoldTable, HoldTimes, SettledCall } from './port.ts'

type Held = { readonly owner: string; readonly amountMicros: bigint }
type Settled = { readonly position: Position; readonly amountMicros: bigint; readonly atMs: number }
type Company = {
  readonly holds: Map<string, Held>
  /** By position and hold, so that one that is told twice counts once. */
  readonly settled: Map<string, Settled>
  floor: Position
}

export type HoldState = { readonly leases: Map<string, number>; readonly companies: Map<string, Company> }

export function emptyHoldState(): HoldState {
  return { leases: new Map(), companies: new Map() }
}

export const HOLD_TIMES: HoldTimes = { leaseMs: LIMITS.holdLeaseMs, settledKeptMs: LIMITS.holdSettledKeptMs }

/** The embedded default: the only gateway is in this process, and what it held ends with it. */
export class MemoryHolds implements HoldTable {
  readonly #clock: Clock
  readonly #times: HoldTimes
  readonly #leases: HoldState['leases']
  readonly #companies: HoldState['companies']

  constructor(clock: Clock, times: HoldTimes = HOLD_TIMES, { leases, companies }: HoldState = emptyHoldState()) {
    this.#clock = clock
    this.#times = times
    this.#leases = leases
    this.#companies = companies
  }

  async enter(owner: string): Promise<void> {
    this.#leases.set(owner, this.#clock.now() + this.#times.leaseMs)
  }

  async renew(owner: string): Promise<boolean> {
    if (!this.#lives(owner)) return false
    await this.enter(owner)
    return true
  }

  async place({ owner, companyId, holdId, amountMicros, balanceMicros, position }: HoldRequest): Promise<HoldAnswer> {
    if (!this.#lives(owner)) return { outcome: 'lapsed' }
    const company = this.#company(companyId)
    this.#dropOld(company)
    if (position < company.floor) return { outcome: 'behind', floor: company.floor }
    const others = [...company.holds].filter(([id]) => id !== holdId).map(([, held]) => held)
    const heldMicros = sumOf(others)
    const unseenMicros = sumOf([...company.settled.values()].filter((charge) => charge.position > position))
    const owners = new Set([...company.holds.values()].map((held) => held.owner))
    const lapsed = [...owners].filter((each) => !this.#lives(each))
    if (balanceMicros - heldMicros - unseenMicros < amountMicros) {
      return { outcome: 'refused', heldMicros, unseenMicros, lapsed }
    }
    company.holds.set(holdId, { owner, amountMicros })
    return { outcome: 'held', lapsed }
  }

  async settle({ companyId, holdId, position, amountMicros }: SettledCall): Promise<void> {
    const company = this.#company(companyId)
    company.holds.delete(holdId)
    this.#remember(company, holdId, position, amountMicros)
  }

  async release({ companyId, holdId }: HeldCall): Promise<void> {
    this.#company(companyId).holds.delete(holdId)
    this.#forgetIfEmpty(companyId)
  }

  async reap(companyId: string, owner: string, head: Position): Promise<void> {
    if (this.#lives(owner)) return
    const company = this.#company(companyId)
    const left = [...company.holds].filter(([, held]) => held.owner === owner)
    for (const [holdId] of left) company.holds.delete(holdId)
    if (left.length > 0) this.#remember(company, owner, head, sumOf(left.map(([, held]) => held)))
    this.#leases.delete(owner)
  }

  /** Nothing is ever lost before the process is. */
  async found(): Promise<void> {}

  #lives(owner: string): boolean {
    return this.#clock.now() < (this.#leases.get(owner) ?? Number.NEGATIVE_INFINITY)
  }

  #company(companyId: string): Company {
    let company = this.#companies.get(companyId)
    if (!company) {
      company = { holds: new Map(), settled: new Map(), floor: BEGINNING }
      this.#companies.set(companyId, company)
    }
    return company
  }

  #remember(company: Company, holdId: string, position: Position, amountMicros: bigint): void {
    const key = `${position} ${holdId}`
    // Whoever is admitted from now on has come as far as the floor.
    if (position <= company.floor || company.settled.has(key)) return
    company.settled.set(key, { position, amountMicros, atMs: this.#clock.now() })
  }

  #dropOld(company: Company): void {
    const before = this.#clock.now() - this.#times.settledKeptMs
    // In the order in which they came: behind the first that is young enough, all are.
    for (const [key, { position, atMs }] of company.settled) {
      if (atMs > before) return
      company.settled.delete(key)
      if (position > company.floor) company.floor = position
    }
  }

  /** A company that never had a charge to remember leaves nothing behind. */
  #forgetIfEmpty(companyId: string): void {
    const { holds, settled, floor } = this.#company(companyId)
    if (holds.size === 0 && settled.size === 0 && floor === BEGINNING) this.#companies.delete(companyId)
  }
}

function sumOf(amounts: readonly { readonly amountMicros: bigint }[]): bigint {
  return amounts.reduce((sum, { amountMicros }) => sum + amountMicros, 0n)
}
