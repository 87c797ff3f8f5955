import type { Recorded, RecordedEvent } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { CreditLots } from '../../../domain/creditLots/creditLots.ts'
import { lotFactOf } from '../../../domain/creditLots/ledgerFacts.ts'
import type { Random } from '../scheduler/random.ts'

/** The reactor gathers events for a second before it stores the lots. */
const BEHIND_MS = { min: 100, max: 2_000 }

type Options = { readonly events: readonly RecordedEvent[]; readonly random: Random; readonly nowMs: () => number }

/** The table of lots without a reactor: it follows the ledgers by up to two seconds. */
export class MemoryLots {
  readonly #options: Options
  readonly #companies = new Map<string, CreditLots>()
  readonly #seen = new Set<string>()
  #next = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** The rows of lots with credits left that expire by this moment, as gateways ask for them. */
  lapsing(until: string) {
    this.#follow()
    const untilMs = Date.parse(until)
    return [...this.#companies].flatMap(([companyId, lots]) =>
      lots
        .lots()
        .filter(({ expiresAtMs, leftMicros }) => leftMicros > 0n && (expiresAtMs ?? Number.MAX_VALUE) <= untilMs)
        .map(({ lotId, expiresAtMs, leftMicros, expiredMicros, owedMicros, givenBackMicros }) => ({
          ...{ companyId, lotId, expiresAtMs: String(expiresAtMs), left: String(leftMicros), kept: '0' },
          booked: String(expiredMicros + owedMicros + givenBackMicros),
        })),
    )
  }

  #follow(): void {
    const { events, random, nowMs } = this.#options
    const toMs = nowMs() - random.between(BEHIND_MS.min, BEHIND_MS.max)
    for (let event = events[this.#next]; event; event = events[++this.#next]) {
      if (Date.parse(event.recordedAt) > toMs) return
      // A store without unique ids may have an event twice.
      if (!event.stream.startsWith('ledger-') || this.#seen.has(event.id)) continue
      this.#seen.add(event.id)
      this.#add(event as Recorded<LedgerEvent>)
    }
  }

  #add(event: Recorded<LedgerEvent>): void {
    const { companyId } = event.data
    const lots = this.#companies.get(companyId) ?? new CreditLots({ reversedWithinMs: Number.MAX_SAFE_INTEGER })
    this.#companies.set(companyId, lots)
    const fact = lotFactOf(event, {
      hasLot: (lotId) => lots.lot(lotId) !== null,
      correctable: () => undefined,
      isCharge: (eventId) => lots.remembers(eventId),
    })
    if (fact) lots.add(fact)
  }
}
