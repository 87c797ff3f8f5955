import type { Actor } from '../../contracts/envelope.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import type { Position } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { anchorKey, decide, type LedgerCommand, ledgerEventKey } from '../../domain/ledger/decider.ts'
import { newEvent } from '../../platform/eventStore/eventCodec.ts'
import type { AppendResult, MayBeSent } from '../../platform/eventStore/port.ts'
import type { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { activeSpan, inStep } from '../../platform/tracing/activeSpan.ts'
import { deterministicId } from '../commands/eventId.ts'

export type Booking = {
  readonly eventId: string
  readonly event: LedgerEvent
  readonly position: Position
  readonly revision: number
  /** The booking was already on the ledger. */
  readonly repeated: boolean
}

/** A decided booking with its event id, before it is sent. */
export type BookingDraft = { readonly eventId: string; readonly event: LedgerEvent }

type WatchedStore = { readonly isSilent: boolean }

export type BookingOptions = {
  /** The span that appends, if the caller has one. */
  readonly traceparent?: string | null
  readonly mayBeSent?: MayBeSent | undefined
}

/** Books on a company's ledger without reading it. That is safe because the event id is derived from what is booked. */
export class LedgerWriter {
  readonly #appender: PursuingAppender
  readonly #watch: WatchedStore
  #inFlight = 0

  constructor(appender: PursuingAppender, watch: WatchedStore = { isSilent: false }) {
    this.#appender = appender
    this.#watch = watch
  }

  /** The store does not answer, or bookings already wait so long that no more should be added. */
  get isHeldUp(): boolean {
    return this.#watch.isSilent || this.#appender.isHeldUp
  }

  /** The number of bookings not yet confirmed as stored. */
  get inFlight(): number {
    return this.#inFlight
  }

  draft(command: LedgerCommand): BookingDraft {
    const [event] = decide(command)
    if (!event) throw new Error(`${command.type} decided no event`)
    return this.draftOf(event)
  }

  /** The draft of an event that was decided, and perhaps booked, before. */
  draftOf(event: LedgerEvent): BookingDraft {
    return { eventId: ledgerEventId(event), event }
  }

  /** Inside an active span, the append is a step of it. */
  book(draft: BookingDraft, correlationId: string, actor: Actor, options: BookingOptions = {}): Promise<Booking> {
    if (options.traceparent || activeSpan() === undefined) return this.#book(draft, correlationId, actor, options)
    return inStep('append ledger', { kind: 'producer' }, (span) =>
      this.#book(draft, correlationId, actor, { ...options, traceparent: span?.traceparent ?? null }),
    )
  }

  async #book(
    draft: BookingDraft,
    correlationId: string,
    actor: Actor,
    { traceparent = null, mayBeSent }: BookingOptions,
  ): Promise<Booking> {
    const { eventId, event } = draft
    const cause = { correlationId, causationId: correlationId, actor }
    const stored = newEvent(eventId, event, traceparent === null ? cause : { ...cause, traceparent })
    this.#inFlight++
    try {
      const stream = streamName('ledger', event.data.companyId)
      const result = await this.#appender.append(stream, 'any', [stored], mayBeSent)
      return { eventId, event, ...result }
    } finally {
      this.#inFlight--
    }
  }

  /**
   * Like book, for an event whose id may already belong to another one, even of a process that is gone: it was sent
   * when the next revision of the ledger was `from`. Resolves with the place of the event that has the id.
   */
  bookOnce(draft: BookingDraft, correlationId: string, actor: Actor, from: number): Promise<AppendResult> {
    const { eventId, event } = draft
    const stored = newEvent(eventId, event, { correlationId, causationId: correlationId, actor })
    return this.#appender.appendUnlessStored(streamName('ledger', event.data.companyId), stored, from)
  }
}

/** The id of the event that anchors a price book. */
export function anchorEventId(bookId: string): string {
  return deterministicId(anchorKey(bookId))
}

/** The event that ends a call reuses the call id, so no hash is needed. */
function ledgerEventId(event: LedgerEvent): string {
  const isEndOfCall = event.type === 'CallCharged' || event.type === 'CallFailed'
  return isEndOfCall ? event.data.callId : deterministicId(ledgerEventKey(event))
}
