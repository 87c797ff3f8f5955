import type { Recorded } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { IDS_REMEMBERED_MAX, RecentIds } from '../../../platform/eventStore/recentIds.ts'
import { type DailyTokensRow, tokensOf } from '../../../projections/dailyTokens/projection.ts'

/**
 * Two would do if all clocks were right. The others keep the tokens of a day from being forgotten when a clock was ahead for
 * a while and calls were recorded on later days.
 */
export const DAYS_KEPT_MAX = 8

type Counts = { charged: number; abandoned: number; expected: number }
const NOTHING: Readonly<Counts> = { charged: 0, abandoned: 0, expected: 0 }
type Expected = { readonly companyId: string; readonly day: string; readonly tokens: number }

export type TokensOfDay = { readonly charged: number; readonly abandoned: number }

/**
 * Each company's charged and abandoned tokens of the newest days, over all gateways. The tokens that callers of this
 * gateway abandon count from the moment they are sent to the ledger.
 */
export class DailyTokensView {
  readonly #counted: RecentIds | null
  readonly #days = new Map<string, Map<string, Counts>>()
  readonly #expected = new Map<string, Expected>()

  constructor({ idsAreUnique = true }: { idsAreUnique?: boolean } = {}) {
    this.#counted = idsAreUnique ? null : new RecentIds(IDS_REMEMBERED_MAX)
  }

  tokensOf(companyId: string, day: string): TokensOfDay {
    const { charged, abandoned, expected } = this.#days.get(day)?.get(companyId) ?? NOTHING
    return { charged, abandoned: abandoned + expected }
  }

  /** Called before the event is sent, so that the feed cannot deliver it first. */
  expect(eventId: string, companyId: string, day: string, tokens: number): void {
    const counts = this.#countsOf(companyId, day)
    if (!counts || this.#expected.has(eventId)) return
    counts.expected += tokens
    this.#expected.set(eventId, { companyId, day, tokens })
  }

  /** The event was delivered, or was certainly not stored. */
  forget(eventId: string): void {
    const expected = this.#expected.get(eventId)
    if (!expected) return
    this.#expected.delete(eventId)
    const counts = this.#days.get(expected.day)?.get(expected.companyId)
    if (counts) counts.expected -= expected.tokens
  }

  seed(rows: readonly DailyTokensRow[]): void {
    for (const row of rows) {
      const counts = this.#countsOf(row.companyId, row.day)
      if (!counts) continue
      counts.charged = Number(row.tokensCharged)
      counts.abandoned = Number(row.tokensAbandoned)
    }
  }

  apply(event: Recorded<LedgerEvent>): void {
    if (this.#expected.size > 0) this.forget(event.id)
    const tokens = tokensOf(event)
    if (!tokens || this.#counted?.isRepeated(event.id)) return
    const counts = this.#countsOf(tokens.companyId, tokens.day)
    if (!counts) return
    counts.charged += tokens.charged
    counts.abandoned += tokens.abandoned
  }

  /** Null if the day is older than those kept. */
  #countsOf(companyId: string, day: string): Counts | null {
    let companies = this.#days.get(day)
    if (!companies) {
      if (this.#days.size >= DAYS_KEPT_MAX) {
        const [oldest = day] = [...this.#days.keys()].toSorted()
        if (day < oldest) return null
        this.#days.delete(oldest)
      }
      companies = new Map()
      this.#days.set(day, companies)
    }
    let counts = companies.get(companyId)
    if (!counts) {
      counts = { ...NOTHING }
      companies.set(companyId, counts)
    }
    return counts
  }
}
