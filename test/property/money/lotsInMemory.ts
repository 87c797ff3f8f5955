import { rolloverId } from '../../../capabilities/creditLots/lotTables.ts'
import type { Recorded } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import type { Position } from '../../../contracts/position.ts'
import { CreditLots } from '../../../domain/creditLots/creditLots.ts'
import { UNLIMITED_LOT } from '../../../domain/creditLots/facts.ts'
import { type CorrectableEntry, lotFactOf } from '../../../domain/creditLots/ledgerFacts.ts'
import type { LotView } from '../../../domain/creditLots/lot.ts'
import type { Sql } from '../../../projections/runner/ports.ts'

/**
 * The lots of one company, folded in memory, and answers to the queries of their tables that reactors and gateways send. The
 * tables themselves are tested with a database (`moneyTables.slow.test.ts`).
 */
export class LotsInMemory implements Sql {
  readonly lots = new CreditLots({ reversedWithinMs: Number.POSITIVE_INFINITY })
  readonly #companyId: string
  readonly #entries = new Map<string, CorrectableEntry>()
  position: Position
  /** The rows of other tables, by what their queries contain. */
  readonly rows: Record<string, () => readonly object[]> = {}

  constructor(companyId: string, position: Position) {
    this.#companyId = companyId
    this.position = position
  }

  add(event: Recorded<LedgerEvent>): void {
    const { lots } = this
    const fact = lotFactOf(event, {
      hasLot: (lotId) => lots.lot(lotId) !== null,
      correctable: (eventId) => this.#entries.get(eventId),
      isCharge: (eventId) => lots.remembers(eventId),
    })
    if (fact) lots.add(fact)
    const lotOf = (grantId: string | null) => (grantId !== null && lots.lot(grantId) ? grantId : UNLIMITED_LOT.lotId)
    const { type, data, id } = event
    if (type === 'CreditsGranted') this.#entries.set(id, { kind: 'grant', lotId: lotOf(data.grantId) })
    if (type === 'CreditsRefunded') {
      this.#entries.set(id, { kind: 'refund', lotId: lotOf(data.grantId), takingId: data.refundId })
    }
  }

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#answer(text, Date.parse(String(values[0]))) as Row[]
  }

  #answer(text: string, atMs: number): readonly object[] {
    const other = Object.keys(this.rows).find((name) => text.includes(name))
    if (other !== undefined) return this.rows[other]?.() ?? []
    const lots = this.lots.lots()
    const companyId = this.#companyId
    const ended = lots.flatMap((lot) => (lot.expiresAtMs !== null && lot.expiresAtMs <= atMs ? [lot] : []))
    if (text.includes('credit_lots.progress')) return [{ position: this.position }]
    if (text.includes('lapsing_micros') || text.includes('as kept')) {
      return ended.filter(hasLeft).map((lot) => ({ companyId, ...lapsing(lot, this.#kept(lot)) }))
    }
    if (text.includes('rollover is not null')) {
      return byExpiry(ended).flatMap(({ lotId, expiredMicros, rollover = null }) => {
        const grantId = rolloverId(lotId)
        const isDue = rollover && expiredMicros > 0n && rollover.expiresAtMs > atMs && !this.lots.lot(grantId)
        return isDue ? [{ companyId, lotId, grantId, expiredMicros: String(expiredMicros), rollover }] : []
      })
    }
    if (text.includes('owed_micros > 0')) {
      return lots.flatMap(({ lotId, owedMicros, givenBackMicros }) =>
        owedMicros > 0n
          ? [{ companyId, lotId, owedMicros: String(owedMicros), givenBackMicros: String(givenBackMicros) }]
          : [],
      )
    }
    if (text.includes('left_micros > 0 order by expires_at')) {
      return byExpiry(ended)
        .filter(hasLeft)
        .map((lot) => ({
          companyId,
          lotId: lot.lotId,
          leftMicros: String(lot.leftMicros),
          bookedMicros: bookedOf(lot),
        }))
    }
    throw new Error(`there is no answer to: ${text}`)
  }

  #kept({ lotId, leftMicros, rollover = null }: LotView): bigint {
    if (rollover === null) return 0n
    return this.lots.lot(rolloverId(lotId)) ? 0n : (leftMicros * BigInt(rollover.share)) / 1_000_000n
  }
}

function hasLeft({ leftMicros }: LotView): boolean {
  return leftMicros > 0n
}

function bookedOf({ expiredMicros, owedMicros, givenBackMicros }: LotView): string {
  return String(expiredMicros + owedMicros + givenBackMicros)
}

function lapsing(lot: LotView, kept: bigint): object {
  const { lotId, expiresAtMs, leftMicros } = lot
  return {
    lotId,
    expiresAtMs: String(expiresAtMs),
    left: String(leftMicros),
    kept: String(kept),
    booked: bookedOf(lot),
  }
}

function byExpiry(lots: readonly LotView[]): LotView[] {
  return lots.toSorted((one, other) => {
    const later = (one.expiresAtMs ?? 0) - (other.expiresAtMs ?? 0)
    return later || (one.lotId < other.lotId ? -1 : 1)
  })
}
