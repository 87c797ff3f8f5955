import type { Recorded } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { periodOf, TOTAL } from '../../../domain/apiKey/budgetPeriod.ts'
import { IDS_REMEMBERED_MAX, RecentIds } from '../../../platform/eventStore/recentIds.ts'
import { type KeySpendRow, spentBy } from '../../../projections/keySpend/projection.ts'

/**
 * Periods of a kind that are kept for a key. Two would do if all clocks were right; the others keep what was spent on a day
 * from being forgotten when a clock was ahead for a while and calls were charged on later days.
 */
export const PERIODS_KEPT_MAX = 8

type Period = { readonly period: string; micros: bigint }
/** In the order of the periods, the newest last. */
type Spend = { readonly days: Period[]; readonly months: Period[]; totalMicros: bigint }
type Expected = {
  readonly keyId: string
  readonly admittedAt: string
  readonly micros: bigint
  readonly isHeld: boolean
}

/**
 * What every key has spent in the newest periods, over all gateways. A charge of this gateway counts from the moment it is
 * sent, if its key has a budget: then it is not counted again when the feed delivers it.
 */
export class KeySpendView {
  readonly #counted: RecentIds | null
  readonly #spend = new Map<string, Spend>()
  readonly #expected = new Map<string, Expected>()

  constructor({ idsAreUnique = true }: { idsAreUnique?: boolean } = {}) {
    this.#counted = idsAreUnique ? null : new RecentIds(IDS_REMEMBERED_MAX)
  }

  /** The credits of all these keys in a period: a day, a month or `total`. */
  spentMicros(keyIds: readonly string[], period: string): bigint {
    let sum = 0n
    for (const keyId of keyIds) {
      const spend = this.#spend.get(keyId)
      if (spend) sum += spentIn(spend, period)
    }
    return sum
  }

  /** The same without this gateway's held charges in progress, which the shared holds count for all gateways. */
  unheldMicros(keyIds: readonly string[], period: string): bigint {
    let sum = this.spentMicros(keyIds, period)
    for (const { keyId, admittedAt, micros, isHeld } of this.#expected.values()) {
      if (isHeld && keyIds.includes(keyId) && isIn(period, admittedAt)) sum -= micros
    }
    return sum
  }

  /** Called before the event is sent, so that the feed cannot deliver it first. */
  expect(eventId: string, charge: Omit<Expected, 'isHeld'>, isHeld: boolean): void {
    if (this.#expected.has(eventId)) return
    const { keyId, admittedAt, micros } = charge
    this.#expected.set(eventId, { keyId, admittedAt, micros, isHeld })
    this.#add(keyId, admittedAt, micros)
  }

  /** The event was certainly not stored. */
  forget(eventId: string): void {
    const expected = this.#expected.get(eventId)
    if (!expected) return
    this.#expected.delete(eventId)
    this.#add(expected.keyId, expected.admittedAt, -expected.micros)
  }

  /** The rows must be in the order of their periods. */
  seed(rows: readonly KeySpendRow[]): void {
    for (const { keyId, period, spentMicros } of rows) {
      const spend = this.#spendOf(keyId)
      const micros = BigInt(spentMicros)
      if (period === TOTAL) spend.totalMicros += micros
      else addTo(period.length === DAY_CHARS ? spend.days : spend.months, period, micros)
    }
  }

  apply(event: Recorded<LedgerEvent>): void {
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
    this.#add(spent.keyId, spent.admittedAt, BigInt(spent.micros))
  }

  #add(keyId: string, admittedAt: string, micros: bigint): void {
    const spend = this.#spendOf(keyId)
    addTo(spend.days, periodOf('DAY', admittedAt), micros)
    addTo(spend.months, periodOf('MONTH', admittedAt), micros)
    spend.totalMicros += micros
  }

  #spendOf(keyId: string): Spend {
    let spend = this.#spend.get(keyId)
    if (!spend) {
      spend = { days: [], months: [], totalMicros: 0n }
      this.#spend.set(keyId, spend)
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
