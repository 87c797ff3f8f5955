import type { Recorded } from '../../../contracts/envelope.ts'
import { isOfCall, type LedgerEvent } from '../../../contracts/events/ledger.ts'
import { periodOf, TOTAL } from '../../../domain/apiKey/budgetPeriod.ts'
import { boundAccounts } from '../../../domain/budgetAccounts.ts'
import { IDS_REMEMBERED_MAX, RecentIds } from '../../../platform/eventStore/recentIds.ts'
import type { BudgetSpendRow } from '../../../projections/budgetSpend/projection.ts'
import { type KeySpendRow, spentBy } from '../../../projections/keySpend/projection.ts'

/**
 * Periods of a kind that are kept for a key. Two would do if all clocks were right; the others keep what was spent on a day
 * from being forgotten when a clock was ahead for a while and calls were charged on later days.
 */
export const PERIODS_KEPT_MAX = 8

export type SpendingCall = Parameters<typeof boundAccounts>[0] & { readonly keyId: string }
type SpendersOf = (call: SpendingCall) => readonly string[]
export type SpendRow = { readonly spenders: readonly string[]; readonly period: string; readonly spentMicros: string }
export type ExpectedCharge = { readonly call: SpendingCall; readonly admittedAt: string; readonly micros: bigint }

type Period = { readonly period: string; micros: bigint }
/** In the order of the periods, the newest last. */
type Spend = { readonly days: Period[]; readonly months: Period[]; totalMicros: bigint }
type Expected = {
  readonly spenders: readonly string[]
  readonly admittedAt: string
  readonly micros: bigint
  readonly isHeld: boolean
}

/**
 * What spenders have spent in the newest periods, over all gateways. A charge of this gateway counts from the moment it is sent,
 * if a budget may bind it: then it is not counted again when the feed delivers it.
 */
export class SpendView {
  readonly #spendersOf: SpendersOf
  readonly #counted: RecentIds | null
  readonly #spend = new Map<string, Spend>()
  readonly #expected = new Map<string, Expected>()

  constructor(spendersOf: SpendersOf, { idsAreUnique = true }: { idsAreUnique?: boolean } = {}) {
    this.#spendersOf = spendersOf
    this.#counted = idsAreUnique ? null : new RecentIds(IDS_REMEMBERED_MAX)
  }

  /** The credits of all these spenders in a period: a day, a month or `total`. */
  spentMicros(spenders: readonly string[], period: string): bigint {
    let sum = 0n
    for (const spender of spenders) {
      const spend = this.#spend.get(spender)
      if (spend) sum += spentIn(spend, period)
    }
    return sum
  }

  /** The same without this gateway's held charges in progress, which the shared holds count for all gateways. */
  unheldMicros(spenders: readonly string[], period: string): bigint {
    let sum = this.spentMicros(spenders, period)
    for (const { spenders: own, admittedAt, micros, isHeld } of this.#expected.values()) {
      if (isHeld && isIn(period, admittedAt) && own.some((spender) => spenders.includes(spender))) sum -= micros
    }
    return sum
  }

  /** Called before the event is sent, so that the feed cannot deliver it first. */
  expect(eventId: string, charge: ExpectedCharge, isHeld: boolean): void {
    if (this.#expected.has(eventId)) return
    const { admittedAt, micros } = charge
    const spenders = this.#spendersOf(charge.call)
    if (spenders.length === 0) return
    this.#expected.set(eventId, { spenders, admittedAt, micros, isHeld })
    this.#add(spenders, admittedAt, micros)
  }

  /** The event was certainly not stored. */
  forget(eventId: string): void {
    const expected = this.#expected.get(eventId)
    if (!expected) return
    this.#expected.delete(eventId)
    this.#add(expected.spenders, expected.admittedAt, -expected.micros)
  }

  /** The rows must be in the order of their periods. */
  seed(rows: readonly SpendRow[]): void {
    for (const { spenders, period, spentMicros } of rows) {
      const micros = BigInt(spentMicros)
      for (const spender of spenders) {
        const spend = this.#spendOf(spender)
        if (period === TOTAL) spend.totalMicros += micros
        else addTo(period.length === DAY_CHARS ? spend.days : spend.months, period, micros)
      }
    }
  }

  apply(event: Recorded<LedgerEvent>): void {
    if (!isOfCall(event)) return
    const spent = spentBy(event)
    if (!spent) return
    // A failure has the id of the charge that it stands for, which then was not stored.
    if (event.type === 'CallFailed') {
      this.forget(event.id)
      return
    }
    if (this.#counted?.isRepeated(event.id)) {
      this.forget(event.id)
      return
    }
    if (this.#expected.size > 0 && this.#expected.delete(event.id)) return
    this.#add(this.#spendersOf(event.data), spent.admittedAt, BigInt(spent.micros))
  }

  #add(spenders: readonly string[], admittedAt: string, micros: bigint): void {
    const [day, month] = [periodOf('DAY', admittedAt), periodOf('MONTH', admittedAt)]
    for (const spender of spenders) {
      const spend = this.#spendOf(spender)
      addTo(spend.days, day, micros)
      addTo(spend.months, month, micros)
      spend.totalMicros += micros
    }
  }

  #spendOf(spender: string): Spend {
    let spend = this.#spend.get(spender)
    if (!spend) {
      spend = { days: [], months: [], totalMicros: 0n }
      this.#spend.set(spender, spend)
    }
    return spend
  }
}

const DAY_CHARS = '2026-03-01'.length

function spentIn({ days, months, totalMicros }: Spend, period: string): bigint {
  if (period === TOTAL) return totalMicros
  const kept = period.length === DAY_CHARS ? days : months
  for (let n = kept.length - 1; n >= 0; n--) {
    const each = kept[n]
    if (each?.period === period) return each.micros
  }
  return 0n
}

function isIn(period: string, time: string): boolean {
  return period === TOTAL || time.startsWith(period)
}

/** Older periods than those that are kept are over for every gateway. */
function addTo(kept: Period[], period: string, micros: bigint): void {
  let place = kept.length
  for (; place > 0; place--) {
    const before = kept[place - 1]
    if (before?.period === period) {
      before.micros += micros
      return
    }
    if (before && before.period < period) break
  }
  if (place === 0 && kept.length >= PERIODS_KEPT_MAX) return
  kept.splice(place, 0, { period, micros })
  if (kept.length > PERIODS_KEPT_MAX) kept.shift()
}

/** What keys and their companies spend, and what projects and fixed labels do: the read models of the two may differ in position. */
export type Spending = { readonly keys: SpendView; readonly accounts: SpendView }

export function spendingViews(options: { idsAreUnique?: boolean } = {}): Spending {
  return {
    keys: new SpendView(({ keyId, companyId }) => [keyId, companyId], options),
    accounts: new SpendView(boundAccounts, options),
  }
}

export function rowsOfKeys(rows: readonly KeySpendRow[]): SpendRow[] {
  return rows.map(({ keyId, companyId, period, spentMicros }) => ({
    spenders: [keyId, companyId],
    period,
    spentMicros,
  }))
}

export function rowsOfAccounts(rows: readonly BudgetSpendRow[]): SpendRow[] {
  return rows.map(({ account, period, spentMicros }) => ({ spenders: [account], period, spentMicros }))
}
