import { debtOf } from '../../../capabilities/creditLots/shownLots.ts'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { Position } from '../../../contracts/position.ts'
import type { LotSource } from '../../../domain/creditLots/facts.ts'
import type { LotView } from '../../../domain/creditLots/lot.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import { foldLots } from '../../support/databases/foldLots.ts'
import type { ReadModels } from '../../support/databases/readModels.ts'
import type { LifeClock } from './lifeClock.ts'
import type { MoneyEngines } from './moneyEngines.ts'

const PAGE_EVENTS = 1_000

type Amounts = Record<
  'granted' | 'spent' | 'expired' | 'owed' | 'givenBack' | 'refunded' | 'disputed' | 'corrected' | 'left',
  string
>
type StoredLot = { readonly [Sum in keyof Amounts as `${Sum}Micros`]: string } & {
  readonly lotId: string
  readonly source: LotSource
  readonly priority: string
  readonly expiresAt: string | null
}

/** A real event store and the tables of lots, which a keeper folds that starts again each time. */
export class EnginesInDatabase implements MoneyEngines {
  readonly store: ReadModels['store']
  readonly appender: PursuingAppender
  readonly database: Sql
  readonly rows: MoneyEngines['rows'] = {}
  readonly events: RecordedEvent[] = []
  readonly #models: ReadModels
  readonly #companyId: string
  #after: Position

  private constructor(models: ReadModels, companyId: string, clock: LifeClock, head: Position) {
    const { store, database } = models
    this.store = store
    this.appender = new PursuingAppender(store, clock)
    this.database = {
      query: async (text, values, name) => {
        const known = Object.keys(this.rows).find((table) => text.includes(table))
        return known === undefined ? database.query(text, values, name) : ((this.rows[known]?.() ?? []) as never)
      },
    }
    this.#models = models
    this.#companyId = companyId
    this.#after = head
  }

  static async openAt(models: ReadModels, companyId: string): Promise<(clock: LifeClock) => EnginesInDatabase> {
    const head = await models.store.head()
    return (clock) => new EnginesInDatabase(models, companyId, clock, head)
  }

  async follow(): Promise<readonly RecordedEvent[]> {
    const { events, position } = await this.store.readAll({ after: this.#after, limit: PAGE_EVENTS })
    if (events.length === 0) return []
    this.#after = position
    // The expiry of credits does for all companies what is due, also for those of earlier lives.
    const own = (events as readonly RecordedEvent[]).filter(
      ({ data }) => (data.companyId ?? this.#companyId) === this.#companyId,
    )
    this.events.push(...own)
    await foldLots(this.#models)
    return own
  }

  async lots(): Promise<readonly LotView[]> {
    const rows = await this.database.query<StoredLot>(
      'select * from credit_lots.lots where company_id = $1 order by age',
      [this.#companyId],
    )
    return rows.map(viewOf)
  }

  async debt(): Promise<bigint> {
    return BigInt(await debtOf(this.database, this.#companyId))
  }
}

function viewOf({ lotId, source, priority, expiresAt, ...sums }: StoredLot): LotView {
  return {
    ...{ lotId, source, priority: Number(priority), expiresAtMs: expiresAt === null ? null : Date.parse(expiresAt) },
    ...{ grantedMicros: BigInt(sums.grantedMicros), spentMicros: BigInt(sums.spentMicros) },
    ...{ expiredMicros: BigInt(sums.expiredMicros), owedMicros: BigInt(sums.owedMicros) },
    ...{ givenBackMicros: BigInt(sums.givenBackMicros), leftMicros: BigInt(sums.leftMicros) },
    takenMicros: {
      refund: BigInt(sums.refundedMicros),
      dispute: BigInt(sums.disputedMicros),
      correction: BigInt(sums.correctedMicros),
    },
    ...{ lackingMicros: 0n, mayLoseMicros: 0n },
  }
}
