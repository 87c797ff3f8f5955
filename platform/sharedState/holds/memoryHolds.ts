import { BEGINNING, type Position } from '../../../contracts/position.ts'
import type { Clock } from '../../clock/clock.ts'
import {
  type HeldCall,
  HOLD_LEASE_MS,
  type HoldAnswer,
  type HoldRequest,
  type HoldTable,
  type HoldTimes,
  type SettledCall,
} from './port.ts'

/** How long charges are kept for views that lack them. A gateway refuses calls while its view lags more than this. */
const HOLD_SETTLED_KEPT_MS = 60_000

type Held = { readonly owner: string; readonly amountMicros: bigint }
type Settled = {
  readonly holdId: string
  readonly position: Position
  readonly amountMicros: bigint
  readonly atMs: number
}
type Company = {
  readonly holds: Map<string, Held>
  heldMicros: bigint
  /** The number of holds by owner. */
  readonly owners: Map<string, number>
  /** Ordered by position. */
  readonly settled: Settled[]
  floor: Position
}

export type HoldState = { readonly leases: Map<string, number>; readonly companies: Map<string, Company> }

export function emptyHoldState(): HoldState {
  return { leases: new Map(), companies: new Map() }
}

export const HOLD_TIMES: HoldTimes = { leaseMs: HOLD_LEASE_MS, settledKeptMs: HOLD_SETTLED_KEPT_MS }

/** The embedded default: the only gateway is in this process, and its holds end with it. */
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
    const heldMicros = company.heldMicros - (company.holds.get(holdId)?.amountMicros ?? 0n)
    const unseenMicros = sumBeyond(position, company.settled)
    const lapsed = [...company.owners.keys()].filter((each) => !this.#lives(each))
    if (balanceMicros - heldMicros - unseenMicros < amountMicros) {
      return { outcome: 'refused', heldMicros, unseenMicros, lapsed }
    }
    end(company, holdId)
    company.holds.set(holdId, { owner, amountMicros })
    company.heldMicros += amountMicros
    company.owners.set(owner, (company.owners.get(owner) ?? 0) + 1)
    return { outcome: 'held', lapsed }
  }

  async settle({ owner, companyId, holdId, position, amountMicros }: SettledCall): Promise<void> {
    const company = this.#company(companyId)
    if (company.holds.get(holdId)?.owner === owner) end(company, holdId)
    this.#remember(company, holdId, position, amountMicros)
  }

  async release({ owner, companyId, holdId }: HeldCall): Promise<void> {
    const company = this.#company(companyId)
    if (company.holds.get(holdId)?.owner === owner) end(company, holdId)
  }

  async reap(companyId: string, owner: string, head: Position): Promise<void> {
    if (this.#lives(owner)) return
    const company = this.#company(companyId)
    const heldBefore = company.heldMicros
    for (const [holdId, held] of company.holds) if (held.owner === owner) end(company, holdId)
    this.#remember(company, owner, head, heldBefore - company.heldMicros)
    this.#leases.delete(owner)
  }

  /** Memory loses nothing while the process runs. */
  async reopen(): Promise<void> {}

  #lives(owner: string): boolean {
    return this.#clock.now() < (this.#leases.get(owner) ?? Number.NEGATIVE_INFINITY)
  }

  #company(companyId: string): Company {
    let company = this.#companies.get(companyId)
    if (!company) {
      company = { holds: new Map(), heldMicros: 0n, owners: new Map(), settled: [], floor: BEGINNING }
      this.#companies.set(companyId, company)
    }
    return company
  }

  #remember(company: Company, holdId: string, position: Position, amountMicros: bigint): void {
    // Every view that is admitted from now on has reached the floor.
    if (position <= company.floor || amountMicros === 0n) return
    const { settled } = company
    // Charges arrive almost in order, so the place is near the end.
    const at = settled.findLastIndex((charge) => charge.position <= position) + 1
    for (let before = at - 1; settled[before]?.position === position; before--) {
      if (settled[before]?.holdId === holdId) return
    }
    settled.splice(at, 0, { holdId, position, amountMicros, atMs: this.#clock.now() })
  }

  #dropOld(company: Company): void {
    const before = this.#clock.now() - this.#times.settledKeptMs
    const firstYoung = company.settled.findIndex(({ atMs }) => atMs > before)
    const old = company.settled.splice(0, firstYoung === -1 ? company.settled.length : firstYoung)
    company.floor = old.at(-1)?.position ?? company.floor
  }
}

function end(company: Company, holdId: string): void {
  const held = company.holds.get(holdId)
  if (!held) return
  company.holds.delete(holdId)
  company.heldMicros -= held.amountMicros
  const left = (company.owners.get(held.owner) ?? 0) - 1
  if (left > 0) company.owners.set(held.owner, left)
  else company.owners.delete(held.owner)
}

/** A view lacks only the last few charges. */
function sumBeyond(position: Position, settled: readonly Settled[]): bigint {
  let sum = 0n
  for (let at = settled.length - 1; at >= 0; at--) {
    const charge = settled[at] as Settled
    if (charge.position <= position) break
    sum += charge.amountMicros
  }
  return sum
}
