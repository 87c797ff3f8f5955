import type { Position } from '../../contracts/position.ts'
import type { OutgoingMessage } from '../../contracts/topics.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { settlesWithin } from '../../platform/clock/within.ts'
import type { EventBatch, EventStore } from '../../platform/eventStore/port.ts'
import type { Publisher } from '../../platform/feed/kafkaPublisher.ts'
import { beginEpoch, saveProgress } from '../../platform/feed/relayProgress.ts'
import type { Leadership } from '../../platform/leases/whileLeading.ts'
import type { Tracing } from '../../platform/tracing/port.ts'
import type { Database } from '../../projections/runner/ports.ts'
import { OutgoingMessages } from './outgoingMessages.ts'
import { sendTraced } from './sendTraced.ts'

/** How long the relay waits for more events before it publishes again, unless it got at least this many at once. */
export const RELAY_GATHER_MS = 50
const RELAY_GATHER_EVENTS_MIN = 200
/** How long a partition without events may lag while others advance, and the interval of heartbeats without events. */
const WATERMARK_MS = 500
const WATERMARK_AT_REST_MS = 5_000

export type PublishingOptions = {
  readonly database: Database
  readonly store: EventStore
  readonly publisher: Publisher
  readonly clock: Clock
  readonly tracing?: Tracing | null
  /** Called after each acknowledgement. */
  readonly onPublished?: (position: Position, events: number) => void
}

/**
 * Publishes all events of the store, from where the last leader stopped, until the leadership ends. The progress is
 * stored after the acknowledgement, so the next leader repeats only messages that were in flight.
 */
export async function publishAll(options: PublishingOptions, { epoch, signal }: Leadership): Promise<void> {
  const { database, store, publisher, clock, tracing = null, onPublished } = options
  const send = (outgoing: readonly OutgoingMessage[]) =>
    tracing === null ? publisher.send(outgoing) : sendTraced(publisher, tracing, clock, outgoing)
  const { position, partitions } = await beginEpoch(database, epoch)
  await requireSameStore(store, position)
  await publisher.prepareTopics()
  const messages = new OutgoingMessages(position, partitions)
  const publish = async (outgoing: readonly OutgoingMessage[]) => {
    if (outgoing.length > 0) await send(outgoing)
    await saveProgress(database, epoch, messages.position, messages.takeChanges())
    onPublished?.(messages.position, outgoing.filter(({ event }) => event !== null).length)
  }
  await publish(messages.heartbeats())
  let allAnnouncedAt = clock.now()
  const silenceMs = () => {
    const interval = messages.someAreBehind ? WATERMARK_MS : WATERMARK_AT_REST_MS
    return Math.max(0, allAnnouncedAt + interval - clock.now())
  }
  for await (const batch of orSilence(store, position, clock, silenceMs, signal)) {
    const outgoing = batch === null ? [] : messages.of(batch)
    const isTime = silenceMs() === 0
    if (isTime) outgoing.push(...(messages.someAreBehind ? messages.watermarks() : messages.heartbeats()))
    await publish(outgoing)
    if (isTime || !messages.someAreBehind) allAnnouncedAt = clock.now()
  }
}

/** The topics contain positions of one store, so they must not be continued from another one. */
async function requireSameStore(store: EventStore, position: Position): Promise<void> {
  const head = await store.head()
  if (head >= position) return
  throw new Error(
    `the event store ends at ${head || 'its beginning'}, but the relay has published up to ${position}: it is not the ` +
      'event store that the topics were filled from',
  )
}

/**
 * The batches of the store, and null after each silence of this length. After a large batch the next one is read ahead;
 * after a small one it waits for more events, because every message wakes every broker and every consumer.
 */
async function* orSilence(
  store: EventStore,
  after: Position,
  clock: Clock,
  silenceMs: () => number,
  signal: AbortSignal,
): AsyncGenerator<EventBatch | null> {
  const ending = new AbortController()
  const batches = store.subscribe({ after, signal: AbortSignal.any([signal, ending.signal]) })[Symbol.asyncIterator]()
  let next = batches.next()
  try {
    while (!signal.aborted) {
      const result = (await settlesWithin(next, silenceMs(), clock)) ? await next : null
      if (signal.aborted || result?.done) return
      if (!result) {
        yield null
      } else if (result.value.events.length >= RELAY_GATHER_EVENTS_MIN) {
        next = batches.next()
        yield result.value
      } else {
        yield result.value
        await clock.delay(RELAY_GATHER_MS, signal)
        next = batches.next()
      }
    }
  } finally {
    ending.abort()
    await next.catch(() => {})
    await batches.return?.()
  }
}
