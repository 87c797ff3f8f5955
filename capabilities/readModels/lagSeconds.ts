import type { Position } from '../../contracts/position.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import { type ConsumerLags, reached } from './consumerLags.ts'

export type ConsumerAge = { readonly consumer: string; readonly seconds: number }

/**
 * The age of the oldest event that a consumer has not processed. A number of events says little: a thousand take a busy
 * installation a second, and a single one is enough if the consumer has stopped.
 */
export async function lagSeconds(
  { relay, projections }: ConsumerLags,
  store: Pick<EventStore, 'readAll'>,
  nowMs: number,
): Promise<ConsumerAge[]> {
  const known = new Map<Position, Promise<number>>()
  const secondsAt = (position: Position): Promise<number> => {
    const seconds = known.get(position) ?? ageOfNext(store, position, nowMs)
    known.set(position, seconds)
    return seconds
  }
  const ages: ConsumerAge[] = []
  if (relay) ages.push({ consumer: 'relay', seconds: relay.lagEvents === 0 ? 0 : await secondsAt(relay.position) })
  for (const { name, partitions } of projections) {
    const behind = partitions.filter(({ lagEvents }) => lagEvents > 0)
    const seconds = await Promise.all(
      behind.map(({ partition, position }) => secondsAt(reached(partition, position, relay))),
    )
    if (partitions.length > 0) ages.push({ consumer: `projector-${name}`, seconds: Math.max(0, ...seconds) })
  }
  return ages
}

async function ageOfNext(store: Pick<EventStore, 'readAll'>, after: Position, nowMs: number): Promise<number> {
  const { events } = await store.readAll({ after, limit: 1 })
  return events[0] === undefined ? 0 : Math.max(0, nowMs - Date.parse(events[0].recordedAt)) / 1000
}
