import { type EventStoreDBClient, START, streamNameFilter } from '@eventstore/db-client'
import { BEGINNING, type Position } from '../../../../contracts/position.ts'
import { READ_PAGE_EVENTS_MAX } from '../storeLimits.ts'
import { checkpointOf, commitOf } from './commitPosition.ts'
import { PulledStream } from './pulledStream.ts'
import { type StoredEvent, storedEvent } from './storedEvent.ts'
import { BUFFER } from './storeReader.ts'

type Resolved = Parameters<typeof storedEvent>[0]

/** A subscription to new events of some or all categories, with the position up to which the server has sent them. */
export class LiveEvents {
  readonly #subscription: ReturnType<EventStoreDBClient['subscribeToAll']>
  readonly #pulled: PulledStream<Resolved>
  /** It lies after all events that are buffered now. */
  #checkpoint: Position = BEGINNING

  constructor(client: EventStoreDBClient, after: Position, categories: readonly string[] | undefined) {
    const commit = after === BEGINNING ? null : commitOf(after)
    this.#subscription = client.subscribeToAll(
      {
        fromPosition: commit === null ? START : { commit, prepare: commit },
        ...(categories && {
          filter: streamNameFilter({
            prefixes: categories.map((category) => `${category}-`),
            checkpointReached: (_, { commit }) => {
              this.#checkpoint = checkpointOf(commit) ?? this.#checkpoint
              this.#pulled.wake()
            },
          }),
        }),
      },
      BUFFER,
    )
    this.#pulled = new PulledStream(this.#subscription)
  }

  /** The events that have arrived, up to a page, and a position that may lie beyond them. Throws when the subscription has ended. */
  take(): { readonly events: readonly StoredEvent[]; readonly position: Position } {
    const checkpoint = this.#checkpoint
    const events = this.#pulled.take(READ_PAGE_EVENTS_MAX).map(storedEvent)
    if (events.length === 0 && this.#pulled.ended) throw new Error('the event store ended a subscription')
    const isAll = events.length < READ_PAGE_EVENTS_MAX
    const last = events.at(-1)?.position ?? BEGINNING
    return { events, position: isAll && checkpoint > last ? checkpoint : last }
  }

  /** Resolves when there may be events to take. */
  more(): Promise<void> {
    return this.#pulled.more()
  }

  wake(): void {
    this.#pulled.wake()
  }

  close(): void {
    this.#subscription.unsubscribe().catch(() => {})
  }
}
