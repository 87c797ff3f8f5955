import type { Recorded, RecordedEvent } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { BEGINNING } from '../../../contracts/position.ts'
import type { LotView } from '../../../domain/creditLots/lot.ts'
import type { TypedEventStore } from '../../../platform/eventStore/port.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import { MemoryEventStore } from '../../support/eventStores/memoryEventStore.ts'
import type { LifeClock } from './lifeClock.ts'
import { LotsInMemory } from './lotsInMemory.ts'

/** Where a life keeps its events, lots and read models. */
export type MoneyEngines = {
  readonly store: TypedEventStore
  readonly appender: PursuingAppender
  readonly database: Sql
  /** Rows of read models that no projector keeps in these tests, by what their queries contain. */
  readonly rows: Record<string, () => readonly object[]>
  /** All events so far. */
  readonly events: readonly RecordedEvent[]
  /** Folds what was stored since the last time into the lots, and returns it. */
  follow(): Promise<readonly RecordedEvent[]>
  /** In the order of their grants. */
  lots(): Promise<readonly LotView[]>
  debt(): Promise<bigint>
}

const PAGE_EVENTS = 1_000

export class EnginesInMemory implements MoneyEngines {
  readonly store = new MemoryEventStore()
  readonly appender: PursuingAppender
  readonly database: LotsInMemory
  readonly events: RecordedEvent[] = []
  readonly rows: MoneyEngines['rows']
  #after = BEGINNING

  constructor(companyId: string, clock: LifeClock) {
    this.appender = new PursuingAppender(this.store, clock)
    this.database = new LotsInMemory(companyId, BEGINNING)
    this.rows = this.database.rows
  }

  lots = async () => this.database.lots.lots()
  debt = async () => this.database.lots.debtMicros

  async follow(): Promise<readonly RecordedEvent[]> {
    if ((await this.store.head()) === this.#after) return []
    const { events, position } = await this.store.readAll({ after: this.#after, limit: PAGE_EVENTS })
    this.#after = position
    for (const event of events as readonly RecordedEvent[]) {
      if (event.stream.startsWith('ledger-')) this.database.add(event as unknown as Recorded<LedgerEvent>)
    }
    this.database.position = position
    this.events.push(...(events as readonly RecordedEvent[]))
    return events as readonly RecordedEvent[]
  }
}
