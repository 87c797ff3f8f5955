import type { Position } from '../../../../contracts/position.ts'
import { checkpointOf, later } from './commitPosition.ts'
import { PulledStream } from './pulledStream.ts'
import { readMessage } from './readMessage.ts'
import { subscriptionRequest } from './readRequest.ts'
import type { StoreClient } from './storeClient.ts'
import { type StoredEvent, storedEvent } from './storedEvent.ts'
import { STORE_BUFFER_MESSAGES_MAX } from './storeReader.ts'

export type Arrived = {
  readonly events: readonly StoredEvent[]
  /** Everything up to this position has arrived. It may lie beyond the events. */
  readonly position: Position
  /** As much as is ever buffered had arrived, so more waits at the server. */
  readonly isFull: boolean
}

/** A subscription to the events after a position, of all streams or of those with one of the prefixes. */
export class LiveEvents {
  readonly #pulled: PulledStream<Buffer>
  #position: Position

  constructor(client: StoreClient, after: Position, prefixes: readonly string[] | null) {
    this.#position = after
    this.#pulled = new PulledStream(client.openRead(subscriptionRequest(after, prefixes)), STORE_BUFFER_MESSAGES_MAX)
  }

  /** The events that have arrived. Throws when the subscription has failed or ended. */
  take(): Arrived {
    const received = this.#pulled.take(STORE_BUFFER_MESSAGES_MAX)
    if (this.#pulled.ended && received.length === 0) throw new Error('the event store ended a subscription')
    const events: StoredEvent[] = []
    for (const bytes of received) {
      const message = readMessage(bytes)
      if (message.kind === 'checkpoint') {
        this.#position = later(this.#position, checkpointOf(message.commit) ?? this.#position)
      }
      if (message.kind !== 'event') continue
      const stored = storedEvent(message.event, message.bytes)
      events.push(stored)
      this.#position = stored.position
    }
    return { events, position: this.#position, isFull: received.length === STORE_BUFFER_MESSAGES_MAX }
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
