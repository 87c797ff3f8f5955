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
type Account = {
  readonly holds: Map<string, Held>
  heldMicros: bigint
  /** The number of holds by owner. */
  readonly owners: Map<string, number>
  /** Ordered by position. */
  readonly settled: Settled[]
  floor: Position
}

export type HoldState = { readonly leases: Map<string, number>; readonly accounts: Map<string, Account> }

export function emptyHoldState(): HoldState {
  return { leases: new Map(), accounts: new Map() }
}

export const HOLD_TIMES: HoldTimes = { leaseMs: HOLD_LEASE_MS, settledKeptMs: HOLD_SETTLED_KEPT_MS }

/** The embedded default: the only gateway is in this process, and its holds end with it. */
export class MemoryHolds implements HoldTable {
  readonly #clock: Clock
  readonly #times: HoldTimes
  readonly #leases: HoldState['leases']
  readonly #accounts: HoldState['accounts']

  constructor(clock: Clock, times: HoldTimes = HOLD_TIMES, { leases, accounts }: HoldState = emptyHoldState()) {
    this.#clock = clock
    this.#times = times
    this.#leases = leases
    this.#accounts = accounts
  }

  async enter(owner: string): Promise<void> {
    this.#leases.set(owner, this.#clock.now() + this.#times.leaseMs)
  }

  async renew(owner: string): Promise<boolean> {
    if (!this.#lives(owner)) return false
    await this.enter(owner)
    return true
  }

  async place({ owner, holdId, amountMicros, accounts, position }: HoldRequest): Promise<HoldAnswer> {
    if (!this.#lives(owner)) return { outcome: 'lapsed' }
    let floor = BEGINNING
    for (const { account: name } of accounts) {
      const account = this.#account(name)
      this.#dropOld(account)
      if (account.floor > floor) floor = account.floor
    }
    if (position < floor) return { outcome: 'behind', floor }
    const lapsed = new Set<string>()
    for (const { account: name, balanceMicros } of accounts) {
      const account = this.#account(name)
      const heldMicros = account.heldMicros - (account.holds.get(holdId)?.amountMicros ?? 0n)
      const unseenMicros = sumBeyond(position, account.settled)
      for (const each of account.owners.keys()) if (!this.#lives(each)) lapsed.add(each)
      if (balanceMicros - heldMicros - unseenMicros < amountMicros) {
        return { outcome: 'refused', account: name, heldMicros, unseenMicros, lapsed: [...lapsed] }
      }
    }
    for (const { account } of accounts) hold(this.#account(account), holdId, { owner, amountMicros })
    return { outcome: 'held', lapsed: [...lapsed] }
  }

  async settle({ owner, accounts, holdId, position, amountMicros }: SettledCall): Promise<void> {
    for (const name of accounts) {
      const account = this.#account(name)
      if (account.holds.get(holdId)?.owner === owner) end(account, holdId)
      this.#remember(account, holdId, position, amountMicros)
    }
  }

  async release({ owner, accounts, holdId }: HeldCall): Promise<void> {
    for (const name of accounts) {
      const account = this.#account(name)
      if (account.holds.get(holdId)?.owner === owner) end(account, holdId)
    }
  }

  async reap(accounts: readonly string[], owner: string, head: Position): Promise<void> {
    if (this.#lives(owner)) return
    for (const name of accounts) {
      const account = this.#account(name)
      const heldBefore = account.heldMicros
      for (const [holdId, held] of account.holds) if (held.owner === owner) end(account, holdId)
      this.#remember(account, owner, head, heldBefore - account.heldMicros)
    }
    this.#leases.delete(owner)
  }

  /** Memory loses nothing while the process runs. */
  async reopen(): Promise<void> {}

  #lives(owner: string): boolean {
    return this.#clock.now() < (this.#leases.get(owner) ?? Number.NEGATIVE_INFINITY)
  }

  #account(name: string): Account {
    let account = this.#accounts.get(name)
    if (!account) {
      account = { holds: new Map(), heldMicros: 0n, owners: new Map(), settled: [], floor: BEGINNING }
      this.#accounts.set(name, account)
    }
    return account
  }

  #remember(account: Account, holdId: string, position: Position, amountMicros: bigint): void {
    // Every view that is admitted from now on has reached the floor.
    if (position <= account.floor || amountMicros === 0n) return
    const { settled } = account
    // Charges arrive almost in order, so the place is near the end.
    const at = settled.findLastIndex((charge) => charge.position <= position) + 1
    for (let before = at - 1; settled[before]?.position === position; before--) {
      if (settled[before]?.holdId === holdId) return
    }
    settled.splice(at, 0, { holdId, position, amountMicros, atMs: this.#clock.now() })
  }

  #dropOld(account: Account): void {
    const before = this.#clock.now() - this.#times.settledKeptMs
    const firstYoung = account.settled.findIndex(({ atMs }) => atMs > before)
    const old = account.settled.splice(0, firstYoung === -1 ? account.settled.length : firstYoung)
    account.floor = old.at(-1)?.position ?? account.floor
  }
}

function hold(account: Account, holdId: string, held: Held): void {
  end(account, holdId)
  account.holds.set(holdId, held)
  account.heldMicros += held.amountMicros
  account.owners.set(held.owner, (account.owners.get(held.owner) ?? 0) + 1)
}

function end(account: Account, holdId: string): void {
  const held = account.holds.get(holdId)
  if (!held) return
  account.holds.delete(holdId)
  account.heldMicros -= held.amountMicros
  const left = (account.owners.get(held.owner) ?? 0) - 1
  if (left > 0) account.owners.set(held.owner, left)
  else account.owners.delete(held.owner)
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
