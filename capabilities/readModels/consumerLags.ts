import type { Position } from '../../contracts/position.ts'
import type { Engines } from '../../platform/engines.ts'
import { type RelayStatus, readRelayStatus } from '../../platform/feed/relayProgress.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { readCheckpoints } from '../../projections/runner/checkpoints.ts'

export type PartitionLag = { readonly partition: string; readonly position: Position; readonly lagEvents: number }

export type ProjectionLag = {
  readonly name: string
  /** The version of the stored model; null if it is not built yet. */
  readonly version: number | null
  readonly partitions: readonly PartitionLag[]
  /** The lag of the partition that is furthest behind. */
  readonly lagEvents: number | null
}

export type RelayLag = RelayStatus & { readonly lagEvents: number }

export type ConsumerLags = {
  readonly head: Position
  /** null if Kafka is not used. */
  readonly relay: RelayLag | null
  readonly projections: readonly ProjectionLag[]
}

export type LagSources = Pick<Engines, 'database' | 'store'> & { readonly usesKafka: boolean }

/**
 * The lag of each consumer of the event store. It is read from the database, not from the consumers, so that stopped
 * consumers show up too. With several partitions the lag is an upper bound, because events of other partitions are
 * counted.
 */
export async function readConsumerLags({ database, store, usesKafka }: LagSources): Promise<ConsumerLags> {
  // Read before the checkpoints that are compared with it.
  const relay = usesKafka ? await readRelayStatus(database) : null
  const known = new Map<Position, Promise<number>>()
  const lagAt = (position: Position): Promise<number> => {
    const lag = known.get(position) ?? store.eventsAfter(position)
    known.set(position, lag)
    return lag
  }
  const checkpoints = await readCheckpoints(database)
  const projections: ProjectionLag[] = []
  for (const { name } of PROJECTIONS) {
    const checkpoint = checkpoints.get(name)
    const partitions = await Promise.all(
      Object.entries(checkpoint?.positions ?? {}).map(async ([partition, position]) => ({
        partition,
        position,
        lagEvents: await lagAt(reached(partition, position, relay)),
      })),
    )
    const lagEvents = partitions.length === 0 ? null : Math.max(...partitions.map((lag) => lag.lagEvents))
    projections.push({ name, version: checkpoint?.version ?? null, partitions, lagEvents })
  }
  return {
    head: await store.head(),
    relay: relay && { ...relay, lagEvents: await lagAt(relay.position) },
    projections,
  }
}

/**
 * A consumer that has read the last message of a partition has read everything that the relay published there, although
 * that message's position may be lower than the relay's.
 */
export function reached(partition: string, position: Position, relay: RelayStatus | null): Position {
  const published = relay?.partitions[partition]
  if (!relay || published === undefined || position < published) return position
  return position > relay.position ? position : relay.position
}
