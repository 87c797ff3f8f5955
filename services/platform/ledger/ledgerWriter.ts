import type { Actor } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import type { Position } from '../../../contracts/position.ts'
import { streamName } from '../../../contracts/streams.ts'
import { decide, type LedgerCommand, ledgerEventKey } from '../../../domain/ledger/decider.ts'
import { newEvent } from '../commands/eventCodec.ts'
import { deterministicId } from '../commands/eventId.ts'
import type { PursuingAppender } from '../eventStore/pursuit.ts'

export type Booking = {
  readonly eventId: string
  readonly event: LedgerEvent
  readonly position: Position
  /** It was on the ledger before. */
  readonly repeated: boolean
}

/** A booking that is decided, with the id that it will have, before it is sent. */
export type BookingDraft = { readonly eventId: string; readonly event: LedgerEvent }

/** Books on a company's ledger without reading it: the event's id, derived from what is booked, makes that safe. */
export class LedgerWriter {
  readonly #appender: PursuingAppender
  #inFlight = 0

  constructor(appender: PursuingAppender) {
    this.#appender = appender
  }

  /** Bookings wait to be stored for so long that no more should be added. */
  get isHeldUp(): boolean {
    return this.#appender.isHeldUp
  }

  /** Bookings of which nobody knows yet that they are stored. */
  get inFlight(): number {
    return this.#inFlight
  }

  draft(command: LedgerCommand): BookingDraft {
    const [event] = decide(command)
    if (!event) throw new Error(`${command.type} decided nothing`)
    return this.draftOf(event)
  }

  /** Of an event that was decided before, and perhaps booked. */
  draftOf(event: LedgerEvent): BookingDraft {
    return { eventId: ledgerEventId(event), event }
  }

  async book(draft: BookingDraft, correlationId: string, actor: Actor): Promise<Booking> {
    const { eventId, event } = draft
    const stored = newEvent(eventId, event, { correlationId, causationId: correlationId, actor })
    this.#inFlight++
    try {
      const result = await this.#appender.append(streamName('ledger', event.data.companyId), 'any', [stored])
      return { eventId, event, position: result.position, repeated: result.repeated }
    } finally {
      this.#inFlight--
    }
  }
}

/** How a call ended has the id of the call, which is as good as one made of it and costs nothing. */
function ledgerEventId(event: LedgerEvent): string {
  const isEndOfCall = event.type === 'CallCharged' || event.type === 'CallFailed'
  return isEndOfCall ? event.data.callId : deterministicId(ledgerEventKey(event))
}
