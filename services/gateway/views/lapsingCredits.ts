import type { LapsingLot } from '../../../capabilities/creditLots/lapsingLots.ts'
import type { Clock } from '../../../platform/clock/clock.ts'

/**
 * Credits whose time has passed although the reactor has not recorded their expiry yet, because calls that were admitted
 * before may still be charged. No call may be admitted on them.
 */
export class LapsingCredits {
  /** Nearly always, so that calls compare only this. */
  isEmpty = true
  readonly #clock: Pick<Clock, 'now'>
  #lots = new Map<string, readonly LapsingLot[]>()
  /** How much the ledger has booked as expired of a lot: rows from before that count it still. */
  readonly #booked = new Map<string, bigint>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  lapsedMicros(companyId: string): bigint {
    const lots = this.#lots.get(companyId)
    if (lots === undefined) return 0n
    const now = this.#clock.now()
    let lapsed = 0n
    for (const { lotId, expiresAtMs, lapsingMicros, bookedMicros } of lots) {
      if (expiresAtMs > now || bookedMicros < (this.#booked.get(lotId) ?? 0n)) continue
      lapsed += lapsingMicros
    }
    return lapsed
  }

  /** Lots that have expired or will soon. */
  replace(lots: readonly LapsingLot[]): void {
    this.isEmpty = lots.length === 0
    this.#lots = Map.groupBy(lots, ({ companyId }) => companyId)
    const known = new Set(lots.map(({ lotId }) => lotId))
    for (const lotId of this.#booked.keys()) if (!known.has(lotId)) this.#booked.delete(lotId)
  }

  /** The balance no longer contains them. */
  expired(lotId: string, bookedMicros: bigint): void {
    this.#booked.set(lotId, bookedMicros)
  }
}
