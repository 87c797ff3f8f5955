import type { Recorded } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { periodOf, TOTAL } from '../../../domain/apiKey/budgetPeriod.ts'
import { type KeySpendRow, spentBy } from '../../../projections/keySpend/projection.ts'
import { RecentIds } from '../../platform/eventStore/recentIds.ts'
import { IDS_REMEMBERED_MAX } from './balances.ts'

/** The newest period of a kind, and the one before it: the clock of another gateway may already be in the next. */
type Recent = { newest: string; micros: bigint; before: string; microsBefore: bigint }
type Spend = { readonly days: Recent; readonly months: Recent; totalMicros: bigint }
type Expected = {
  readonly keyId: string
  readonly admittedAt: string
  readonly micros: bigint
  readonly isHeld: boolean
}

/**
 * What every key has spent in the current periods, over all gateways. A charge of this gateway counts from the moment it is
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
    for (const { key_id, period, spent_micros } of rows) {
      const spend = this.#spendOf(key_id)
      const micros = BigInt(spent_micros)
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
      spend = { days: { ...NONE }, months: { ...NONE }, totalMicros: 0n }
      this.#spend.set(keyId, spend)
    }
    return spend
  }
}

const NONE: Readonly<Recent> = { newest: '', micros: 0n, before: '', microsBefore: 0n }
const DAY_CHARS = '2026-03-01'.length

function spentIn({ days, months, totalMicros }: Spend, period: string): bigint {
  if (period === TOTAL) return totalMicros
  const { newest, micros, before, microsBefore } = period.length === DAY_CHARS ? days : months
  if (period === newest) return micros
  return period === before ? microsBefore : 0n
}

function isIn(period: string, time: string): boolean {
  return period === TOTAL || time.startsWith(period)
}

/** Older periods than the two are over for every gateway, and are not kept. */
function addTo(recent: Recent, period: string, micros: bigint): void {
  if (period === recent.newest) recent.micros += micros
  else if (period === recent.before) recent.microsBefore += micros
  else if (period > recent.newest) {
    recent.before = recent.newest
    recent.microsBefore = recent.micros
    recent.newest = period
    recent.micros = micros
  } else if (period > recent.before) {
    recent.before = period
    recent.microsBefore = micros
  }
}
