import type { Recorded } from '../../contracts/envelope.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { evolve, type LedgerState, ledgerDecider } from '../../domain/ledger/decider.ts'
import { MonthReplay, type ReplayedMonth } from '../../domain/postpaid/monthReplay.ts'
import type { ForeignEvent, TypedEventStore } from '../../platform/eventStore/port.ts'
import { SeenIds } from '../../platform/eventStore/seenIds.ts'

/** Up to and including a position or a time; null: to the end. */
export type Until = { readonly position: Position } | { readonly time: string } | null

export type RecordedLedgerEvent = Recorded<LedgerEvent>

/**
 * Reads a company's ledger from the event store, each event once: a store may hold two events with the same id, and the
 * first one counts.
 */
export async function* ledgerOf(
  store: TypedEventStore,
  companyId: string,
  until: Until,
): AsyncIterable<RecordedLedgerEvent> {
  // Ids are remembered only if the store may repeat one: for a long ledger they take more memory than everything else.
  const seen = store.idsAreUnique ? null : new SeenIds()
  for await (const event of store.readStream(streamName('ledger', companyId))) {
    if (isAfter(event, until)) return
    if (!seen?.isRepeated(event.id)) yield event
  }
}

/** What another application wrote to the company's ledger. */
export async function foreignEventsOf(
  store: Pick<TypedEventStore, 'foreignEvents'>,
  companyId: string,
  until: Until,
): Promise<ForeignEvent[]> {
  const events: ForeignEvent[] = []
  for await (const event of store.foreignEvents(streamName('ledger', companyId))) {
    if (isAfter(event, until)) break
    events.push(event)
  }
  return events
}

function isAfter({ position, recordedAt }: Pick<ForeignEvent, 'position' | 'recordedAt'>, until: Until): boolean {
  if (!until) return false
  return 'position' in until ? position > until.position : recordedAt > until.time
}

export type Charges = { calls: number; tokensIn: number; tokensOut: number; chargesMicros: bigint }

/** A manual change by a super admin. */
export type Adjustment = {
  readonly eventId: string
  readonly amountMicros: string
  readonly reason: string
  /** null if it follows from a report of the payment provider. */
  readonly by: string | null
  /** The id of the event that it corrects. */
  readonly corrects: string | null
  readonly at: string
}

/** The sums of the events. */
export class Replay {
  state: LedgerState = ledgerDecider.initialState()
  position: Position = BEGINNING
  revision = -1
  at: string | null = null
  events = 0
  readonly #months = new MonthReplay()
  readonly byAlias = new Map<string, Charges>()
  readonly byKey = new Map<string, Charges>()
  readonly adjustments: Adjustment[] = []

  get months(): readonly ReplayedMonth[] {
    return this.#months.months
  }

  add(event: RecordedLedgerEvent): void {
    this.#months.add(event)
    this.state = evolve(this.state, event)
    this.position = event.position
    this.revision = event.revision
    this.at = event.recordedAt
    this.events++
    if (event.type === 'CreditsAdjusted') this.adjustments.push(adjustmentOf(event.id, event.data))
    if (event.type !== 'CallCharged') return
    addCharge(this.byAlias, event.data.alias, event.data)
    addCharge(this.byKey, event.data.keyId, event.data)
  }
}

function adjustmentOf(eventId: string, data: Extract<LedgerEvent, { type: 'CreditsAdjusted' }>['data']): Adjustment {
  const { amountMicros, reason, adjustedBy: by, corrects, adjustedAt: at } = data
  return { eventId, amountMicros, reason, by, corrects, at }
}

function addCharge(
  sums: Map<string, Charges>,
  name: string,
  charge: { tokensIn: number; tokensOut: number; amountMicros: string },
): void {
  const sum = sums.get(name) ?? { calls: 0, tokensIn: 0, tokensOut: 0, chargesMicros: 0n }
  sum.calls++
  sum.tokensIn += charge.tokensIn
  sum.tokensOut += charge.tokensOut
  sum.chargesMicros += BigInt(charge.amountMicros)
  sums.set(name, sum)
}
