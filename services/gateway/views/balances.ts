import type { Recorded } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { deltaMicros } from '../../../domain/ledger/balance.ts'
import { IDS_REMEMBERED_MAX, RecentIds } from '../../../platform/eventStore/recentIds.ts'
import type { CreditBalanceRow } from '../../../projections/creditBalances/projection.ts'
import type { KeySpendView } from './keySpend.ts'
import type { KeyView } from './keys.ts'
import type { LapsingCredits } from './lapsingCredits.ts'

type BalanceViewOptions = {
  readonly idsAreUnique?: boolean
  /** Credits that have expired, although the ledger still has them. */
  readonly lapsing?: LapsingCredits
}

type Expected = { readonly companyId: string; readonly deltaMicros: bigint; readonly isHeld: boolean }

/**
 * Every company's balance, never staler than this process's own calls: a charge counts from the moment it is sent until
 * the feed delivers it as an event (docs/architecture.md, "Invariants").
 *
 * An event that is delivered twice under one id counts once, as in the read models. The read models know every id; the
 * view knows only recent ones. That is enough, because a second copy is written within moments of the first, by a
 * process that did not know the outcome of its append.
 */
export class BalanceView {
  readonly #counted: RecentIds | null
  readonly #balances = new Map<string, bigint>()
  readonly #expected = new Map<string, Expected>()
  readonly #expectedSums = new Map<string, bigint>()
  readonly #heldSums = new Map<string, bigint>()

  readonly #lapsing: LapsingCredits | null

  constructor({ idsAreUnique = true, lapsing }: BalanceViewOptions = {}) {
    this.#counted = idsAreUnique ? null : new RecentIds(IDS_REMEMBERED_MAX)
    this.#lapsing = lapsing ?? null
  }

  /** Without credits whose time has passed. */
  balanceMicros(companyId: string): bigint {
    const booked = (this.#balances.get(companyId) ?? 0n) + (this.#expectedSums.get(companyId) ?? 0n)
    return this.#lapsing === null || this.#lapsing.isEmpty ? booked : booked - this.#lapsing.lapsedMicros(companyId)
  }

  /** The balance without this gateway's held charges in progress, which the shared holds count for all gateways. */
  unheldMicros(companyId: string): bigint {
    return this.balanceMicros(companyId) - (this.#heldSums.get(companyId) ?? 0n)
  }

  /** Called before the event is sent, so that the feed cannot deliver it first. */
  expect(eventId: string, companyId: string, deltaMicros: bigint, isHeld = false): void {
    // A call whose append is pursued and a request that found its kept answer may both expect the same charge.
    if (this.#expected.has(eventId)) return
    this.#expected.set(eventId, { companyId, deltaMicros, isHeld })
    addTo(this.#expectedSums, companyId, deltaMicros)
    if (isHeld) addTo(this.#heldSums, companyId, deltaMicros)
  }

  /** The event was certainly not stored. */
  forget(eventId: string): void {
    const expected = this.#expected.get(eventId)
    if (!expected) return
    this.#expected.delete(eventId)
    addTo(this.#expectedSums, expected.companyId, -expected.deltaMicros)
    if (expected.isHeld) addTo(this.#heldSums, expected.companyId, -expected.deltaMicros)
  }

  seed(rows: readonly CreditBalanceRow[]): void {
    for (const row of rows) this.#balances.set(row.companyId, BigInt(row.balanceMicros))
  }

  apply(event: Recorded<LedgerEvent>): void {
    const { companyId } = event.data
    this.forget(event.id)
    if (this.#counted?.isRepeated(event.id)) return
    this.#balances.set(companyId, (this.#balances.get(companyId) ?? 0n) + deltaMicros(event))
    if (event.type !== 'CreditsExpired') return
    const { grantId, expiredBeforeMicros, amountMicros } = event.data
    this.#lapsing?.expired(grantId, BigInt(expiredBeforeMicros) + BigInt(amountMicros))
  }
}

function addTo(sums: Map<string, bigint>, companyId: string, micros: bigint): void {
  const sum = (sums.get(companyId) ?? 0n) + micros
  if (sum === 0n) sums.delete(companyId)
  else sums.set(companyId, sum)
}

type ExpectingViews = { readonly balances: BalanceView; readonly keys: KeyView; readonly keySpend: KeySpendView }
type Charge = { readonly companyId: string; readonly keyId: string; readonly admittedAt: string }

/**
 * Counts a charge that is about to be sent against the balance of its company and, if there is one, the budget of its key.
 */
export function expectCharge(
  { balances, keys, keySpend }: ExpectingViews,
  eventId: string,
  { companyId, keyId, admittedAt }: Charge,
  micros: bigint,
  isHeld: boolean,
): void {
  balances.expect(eventId, companyId, -micros, isHeld)
  if (keys.familyOf(keyId)?.budget) keySpend.expect(eventId, { keyId, admittedAt, micros }, isHeld)
}

/** The charge was certainly not stored. */
export function forgetCharge({ balances, keySpend }: Omit<ExpectingViews, 'keys'>, eventId: string): void {
  balances.forget(eventId)
  keySpend.forget(eventId)
}
