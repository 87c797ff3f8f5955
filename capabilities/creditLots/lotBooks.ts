import type { Recorded } from '../../contracts/envelope.ts'
import { COMMON_LEDGER_ID, type LedgerEvent } from '../../contracts/events/ledger.ts'
import { CreditLots } from '../../domain/creditLots/creditLots.ts'
import { UNLIMITED_LOT } from '../../domain/creditLots/facts.ts'
import { type CorrectableEntry, lotFactOf } from '../../domain/creditLots/ledgerFacts.ts'
import { leftMicros } from '../../domain/creditLots/lot.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import { readCharges } from './chargeParts.ts'
import type { CompanyChanges, LotBookChanges } from './lotChanges.ts'
import { readCompanies, readEntries } from './lotTables.ts'

/** How long charges stay in memory: nearly all reversals come sooner, and the table has the others. */
const REMEMBERED_MS = 60_000
/** The lots of companies that are kept in memory, a few kilobytes each. */
const COMPANIES_MAX = 5_000

type Book = { readonly lots: CreditLots; revision: number }
type Event = Recorded<LedgerEvent>

/** The lots of all companies: folds batches of ledger events, and loads what it does not have in memory. */
export class LotBooks {
  readonly #sql: Sql
  /** In the order of their last use. */
  readonly #books = new Map<string, Book>()

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Folds the events, and returns what has to be stored. */
  async fold(batch: readonly Event[]): Promise<LotBookChanges> {
    const events = batch.filter(({ data }) => data.companyId !== COMMON_LEDGER_ID)
    const companyIds = [...new Set(events.map(({ data }) => data.companyId))]
    await this.#load(companyIds)
    const corrected = await this.#correctedEntries(events)
    const charges = await this.#forgottenCharges(events, corrected)
    const entries: { eventId: string; entry: CorrectableEntry }[] = []
    const changed = new Set<string>()
    for (const event of events) {
      const { companyId } = event.data
      const book = this.#bookOf(companyId)
      // After a restart, the events since the last stored position come again.
      if (event.revision <= book.revision) continue
      book.revision = event.revision
      changed.add(companyId)
      const fact = lotFactOf(event, {
        hasLot: (lotId) => book.lots.lot(lotId) !== null,
        correctable: (eventId) => corrected.get(eventId),
        isCharge: (eventId) => book.lots.remembers(eventId) || charges.has(`${companyId} ${eventId}`),
      })
      if (fact === null) continue
      const undone = fact.type === 'reversed' ? fact.chargeId : fact.type === 'returned' ? fact.takingId : null
      if (undone !== null) book.lots.recall(undone, charges.get(`${companyId} ${undone}`) ?? [])
      book.lots.add(fact)
      const entry = entryOf(event, (grantId) => book.lots.lot(grantId) !== null)
      if (entry === null) continue
      corrected.set(event.id, entry)
      entries.push({ eventId: event.id, entry })
    }
    const companies = [...changed].map((companyId) => this.#changesOf(companyId))
    this.#forgetOldest()
    return { companies, entries }
  }

  lotsOf(companyId: string): CreditLots | null {
    return this.#books.get(companyId)?.lots ?? null
  }

  /** Loads the lots of companies that are not in memory. */
  async #load(companyIds: readonly string[]): Promise<void> {
    const missing = companyIds.filter((companyId) => !this.#books.has(companyId))
    for (const { companyId, revision, snapshot } of missing.length > 0 ? await readCompanies(this.#sql, missing) : []) {
      const lots = new CreditLots({ reversedWithinMs: REMEMBERED_MS, from: snapshot })
      this.#books.set(companyId, { lots, revision })
    }
  }

  #bookOf(companyId: string): Book {
    const book = this.#books.get(companyId) ?? {
      lots: new CreditLots({ reversedWithinMs: REMEMBERED_MS }),
      revision: -1,
    }
    this.#books.delete(companyId)
    this.#books.set(companyId, book)
    return book
  }

  #changesOf(companyId: string): CompanyChanges {
    const { lots, revision } = this.#bookOf(companyId)
    const changes = lots.takeChanges()
    return {
      ...{ companyId, revision, debtMicros: lots.debtMicros },
      ...changes,
      // A reversal joins the unlimited lot anyway if nothing is known of its charge.
      charges: lots.isUndivided ? [] : changes.charges,
      lots: changes.lots.map((lot) => ({ ...lot, leftMicros: leftMicros(lot) })),
    }
  }

  /** Where credits were taken that these events give back. A dispute or a refund can be undone long after it was booked. */
  #forgottenCharges(events: readonly Event[], corrected: ReadonlyMap<string, CorrectableEntry>) {
    const named = events.flatMap((event) =>
      undoneBy(event, corrected).map((chargeId) => ({ companyId: event.data.companyId, chargeId })),
    )
    return readCharges(
      this.#sql,
      named.filter(({ companyId, chargeId }) => !this.#books.get(companyId)?.lots.remembers(chargeId)),
    )
  }

  #correctedEntries(events: readonly Event[]): Promise<Map<string, CorrectableEntry>> {
    const ids = events.flatMap(({ type, data }) => (type === 'CreditsAdjusted' && data.corrects ? [data.corrects] : []))
    return readEntries(this.#sql, ids)
  }

  #forgetOldest(): void {
    for (const companyId of this.#books.keys()) {
      if (this.#books.size <= COMPANIES_MAX) return
      this.#books.delete(companyId)
    }
  }
}

/** The ids under which the lots know what this event may undo. */
function undoneBy({ type, data }: Event, corrected: ReadonlyMap<string, CorrectableEntry>): string[] {
  switch (type) {
    case 'ChargeReversed':
      return [data.callId]
    case 'CreditsReinstated':
      return data.disputeId === null ? [] : [data.disputeId]
    case 'CreditsAdjusted': {
      if (data.corrects === null) return []
      const entry = corrected.get(data.corrects)
      return entry?.kind === 'refund' ? [entry.takingId] : [data.corrects]
    }
    default:
      return []
  }
}

function entryOf(event: Event, hasLot: (grantId: string) => boolean): CorrectableEntry | null {
  const lotOf = (grantId: string | null) => (grantId !== null && hasLot(grantId) ? grantId : UNLIMITED_LOT.lotId)
  if (event.type === 'CreditsGranted') return { kind: 'grant', lotId: lotOf(event.data.grantId) }
  if (event.type !== 'CreditsRefunded') return null
  return { kind: 'refund', lotId: lotOf(event.data.grantId), takingId: event.data.refundId }
}
