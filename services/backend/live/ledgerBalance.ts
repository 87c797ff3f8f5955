import { REPEATED_WITHIN_ENTRIES } from '../../../capabilities/statements/countedOnce.ts'
import { boundaryAt, type LedgerReading } from '../../../capabilities/statements/ledgerBoundary.ts'
import type { Recorded } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { streamName } from '../../../contracts/streams.ts'
import { deltaMicros } from '../../../domain/ledger/balance.ts'

export type LiveBalance = {
  readonly amountMicros: string
  /** When the last entry was stored; null if there is none. */
  readonly updatedAt: string | null
}

/** Later than every entry. */
const END_OF_TIME = '9999-12-31T23:59:59.999Z'

/** The balance of one company, read from its ledger once and then kept by its new entries. */
export class LedgerBalance {
  readonly #revision: number
  readonly #before: ReadonlySet<string>
  #amountMicros: bigint
  #updatedAt: string | null

  private constructor(revision: number, amountMicros: bigint, before: readonly Recorded<LedgerEvent>[]) {
    this.#revision = revision
    this.#amountMicros = amountMicros
    this.#updatedAt = before[0]?.recordedAt ?? null
    this.#before = new Set(before.map(({ id }) => id))
  }

  static async read(reading: LedgerReading, companyId: string): Promise<LedgerBalance> {
    const { revision, balanceMicros } = await boundaryAt(reading, companyId, END_OF_TIME)
    const limit = reading.store.idsAreUnique ? 1 : REPEATED_WITHIN_ENTRIES
    const before: Recorded<LedgerEvent>[] = []
    if (revision > 0) {
      const newest = { direction: 'backwards', from: revision - 1, limit } as const
      for await (const event of reading.store.readStream(streamName('ledger', companyId), newest)) before.push(event)
    }
    return new LedgerBalance(revision, balanceMicros, before)
  }

  get current(): LiveBalance {
    return { amountMicros: this.#amountMicros.toString(), updatedAt: this.#updatedAt }
  }

  /** Whether the entry is new to the balance: an entry that was read with it changes nothing. */
  apply(event: Recorded<LedgerEvent>): boolean {
    if (event.revision < this.#revision || this.#before.has(event.id)) return false
    this.#amountMicros += deltaMicros(event)
    this.#updatedAt = event.recordedAt
    return true
  }
}
