import type { Recorded } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { deltaMicros } from '../../../domain/ledger/balance.ts'
import type { CreditBalanceRow } from '../../../projections/creditBalances/projection.ts'
import { RecentIds } from './recentIds.ts'

/** Event ids that a view remembers, where the feed may bring an event twice: at 1,000 a second, those of 100 s at least. */
const IDS_REMEMBERED_MAX = 200_000

type Expected = { readonly companyId: string; readonly deltaMicros: bigint; readonly isHeld: boolean }

/**
 * Every company's balance, never staler than this process's own calls: a charge counts from the moment it is sent, and
 * until the feed brings it back as an event (docs/architecture.md, "Invariants").
 *
 * Where an event may come twice under one id, it counts once, as in the read models. Those know every id; the view knows
 * the newest, because a second copy is written within moments of the first, by whoever was not sure of that one.
 */
export class BalanceView {
  readonly #counted: RecentIds | null
  readonly #balances = new Map<string, bigint>()
  readonly #expected = new Map<string, Expected>()
  readonly #expectedSums = new Map<string, bigint>()
  readonly #heldSums = new Map<string, bigint>()

  constructor({ idsAreUnique = true }: { idsAreUnique?: boolean } = {}) {
    this.#counted = idsAreUnique ? null : new RecentIds(IDS_REMEMBERED_MAX)
  }

  balanceMicros(companyId: string): bigint {
    return (this.#balances.get(companyId) ?? 0n) + (this.#expectedSums.get(companyId) ?? 0n)
  }

  /** The same without the charges under way that are held: all gateways count those together, this one among them. */
  unheldMicros(companyId: string): bigint {
    return this.balanceMicros(companyId) - (this.#heldSums.get(companyId) ?? 0n)
  }

  /** Before the event is sent, so that the feed cannot be faster. */
  expect(eventId: string, companyId: string, deltaMicros: bigint, isHeld = false): void {
    // By a call that is still pursued, and by who has found its answer.
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
    for (const row of rows) this.#balances.set(row.company_id, BigInt(row.balance_micros))
  }

  apply(event: Recorded<LedgerEvent>): void {
    const { companyId } = event.data
    this.forget(event.id)
    if (this.#counted?.isRepeated(event.id)) return
    this.#balances.set(companyId, (this.#balances.get(companyId) ?? 0n) + deltaMicros(event))
  }
}

function addTo(sums: Map<string, bigint>, companyId: string, micros: bigint): void {
  const sum = (sums.get(companyId) ?? 0n) + micros
  if (sum === 0n) sums.delete(companyId)
  else sums.set(companyId, sum)
}
