import type { Position } from '../../contracts/position.ts'
import type { OutgoingMessage } from '../../contracts/topics.ts'
import type { Database } from '../../projections/runner/ports.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { settlesWithin } from '../platform/clock/within.ts'
import type { EventBatch, EventStore } from '../platform/eventStore/port.ts'
import type { Publisher } from '../platform/feed/kafkaPublisher.ts'
import { beginEpoch, saveProgress } from '../platform/feed/relayProgress.ts'
import type { Leadership } from '../platform/leases/whileLeading.ts'
import { Messages } from './messages.ts'

/** How long the relay lets events gather before it publishes again, unless this many came at once. */
export const RELAY_GATHER_MS = 50
const RELAY_GATHER_EVENTS_MIN = 200
/** How far a partition without events may be behind the others while these advance, and how often it is heard of at rest. */
const WATERMARK_MS = 500
const WATERMARK_AT_REST_MS = 5_000

export type PublishingOptions = {
  readonly database: Database
  readonly store: EventStore
  readonly publisher: Publisher
  readonly clock: Clock
  /** Told after each acknowledgement. */
  readonly onPublished?: (position: Position, events: number) => void
}

/**
 * Publishes all that the store has and gets, from where the leader before has stopped, until the leadership ends. The
 * progress is stored after the acknowledgement: whoever comes next repeats at most what was on its way.
 */
export async function publishAll(options: PublishingOptions, { epoch, signal }: Leadership): Promise<void> {
  const { database, store, publisher, clock, onPublished } = options
  const { position, partitions } = await beginEpoch(database, epoch)
  await requireSameStore(store, position)
  await publisher.prepareTopics()
  const messages = new Messages(position, partitions)
  const publish = async (outgoing: readonly OutgoingMessage[]) => {
    if (outgoing.length > 0) await publisher.send(outgoing)
    await saveProgress(database, epoch, messages.position, messages.takeChanges())
    onPublished?.(messages.position, outgoing.filter(({ event }) => event !== null).length)
  }
  await publish(messages.signsOfLife())
  let toldAllAt = clock.now()
  const silenceMs = () => {
    const interval = messages.someAreBehind ? WATERMARK_MS : WATERMARK_AT_REST_MS
    return Math.max(0, toldAllAt + interval - clock.now())
  }
  for await (const batch of orSilence(store, position, clock, silenceMs, signal)) {
    const outgoing = batch === null ? [] : messages.of(batch)
    const isTime = silenceMs() === 0
    if (isTime) outgoing.push(...(messages.someAreBehind ? messages.watermarks() : messages.signsOfLife()))
    await publish(outgoing)
    if (isTime || !messages.someAreBehind) toldAllAt = clock.now()
  }
}

/** Whoever points the relay at another store has to say so: what is published is about the positions of this one. */
async function requireSameStore(store: EventStore, position: Position): Promise<void> {
  const head = await store.head()
  if (head >= position) return
  throw new Error(
    `the event store ends at ${head || 'its beginning'}, but the relay has published up to ${position}: it is not the ` +
      'store that the topics were filled from',
  )
}

/**
 * The batches of the store, and null whenever none has come for so long. Behind a large one the next is read ahead;
 * behind a small one more is gathered: whatever is published wakes every broker and every consumer.
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
