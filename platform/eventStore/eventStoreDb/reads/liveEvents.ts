import type { Position } from '../../../../contracts/position.ts'
import { checkpointOf, later } from '../commitPosition.ts'
import { PulledStream } from '../connection/pulledStream.ts'
import type { StoreClient } from '../storeClient.ts'
import { readMessage } from './readMessage.ts'
import { subscriptionRequest } from './readRequest.ts'
import type { StoredEvent, StoredEvents } from './storedEvent.ts'

/** As many as arrive while events are batched under heavy load. A large message counts as several. */
const LIVE_MESSAGES_MAX = 1_000
const ORDINARY_MESSAGE_BYTES = 4 * 1024

export type Arrived = {
  readonly events: readonly StoredEvent[]
  /** Everything up to this position has arrived. It may lie beyond the events. */
  readonly position: Position
  /** The buffer was full, so more waits at the server. */
  readonly isFull: boolean
}

/** A subscription to the events of our streams after a position. */
export class LiveEvents {
  readonly #pulled: PulledStream<Buffer>
  readonly #stored: StoredEvents
  #position: Position

  constructor(client: StoreClient, after: Position, stored: StoredEvents) {
    this.#position = after
    this.#stored = stored
    const request = subscriptionRequest(after, stored.streams.prefixesOf())
    this.#pulled = new PulledStream(client.openRead(request), LIVE_MESSAGES_MAX, weightOf)
  }

  /** The events that have arrived. Throws when the subscription has failed or ended. */
  take(): Arrived {
    const { isFull } = this.#pulled
    const received = this.#pulled.take(LIVE_MESSAGES_MAX)
    if (this.#pulled.ended && received.length === 0) throw new Error('the event store ended a subscription')
    const events: StoredEvent[] = []
    for (const bytes of received) {
      const message = readMessage(bytes)
      if (message.kind === 'checkpoint') {
        this.#position = later(this.#position, checkpointOf(message.commit) ?? this.#position)
      }
      if (message.kind !== 'event') continue
      const stored = this.#stored.read(message.event, message.bytes)
      events.push(stored)
      this.#position = stored.position
    }
    return { events, position: this.#position, isFull }
  }

  /** Resolves when there may be events to take. */
  more(): Promise<void> {
    return this.#pulled.more()
  }

  wake(): void {
    this.#pulled.wake()
  }

  close(): void {
    this.#pulled.cancel()
  }
}

function weightOf(message: Buffer): number {
  return Math.max(1, message.length / ORDINARY_MESSAGE_BYTES)
}
