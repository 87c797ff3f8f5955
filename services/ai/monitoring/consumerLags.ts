import type { Position } from '../../../contracts/position.ts'
import { PROJECTIONS } from '../../../projections/catalogue.ts'
import { readCheckpoint } from '../../../projections/runner/checkpoints.ts'
import type { Engines } from '../../platform/engines.ts'
import { type RelayStatus, readRelayStatus } from '../../platform/feed/relayProgress.ts'

export type PartitionLag = { readonly partition: string; readonly position: Position; readonly lagEvents: number }

export type ProjectionLag = {
  readonly name: string
  /** Of the stored model; null: it is not built yet. */
  readonly version: number | null
  readonly partitions: readonly PartitionLag[]
  /** Of the partition that is furthest behind. */
  readonly lagEvents: number | null
}

export type RelayLag = RelayStatus & { readonly lagEvents: number }

export type ConsumerLags = {
  readonly head: Position
  /** null: there is no Kafka to publish to. */
  readonly relay: RelayLag | null
  readonly projections: readonly ProjectionLag[]
}

type LagSources = Pick<Engines, 'database' | 'store'> & { readonly usesKafka: boolean }

/**
 * How far everybody who reads the store is behind it. Asked of the database and not of the consumers, so that one that has
 * stopped is not silent about it. Of a partition of many it is the most that it can be: events of the others are counted.
 */
export async function readConsumerLags({ database, store, usesKafka }: LagSources): Promise<ConsumerLags> {
  // Before the checkpoints, which are compared with it.
  const relay = usesKafka ? await readRelayStatus(database) : null
  const known = new Map<Position, Promise<number>>()
  const lagAt = (position: Position): Promise<number> => {
    const lag = known.get(position) ?? store.eventsAfter(position)
    known.set(position, lag)
    return lag
  }
  const projections: ProjectionLag[] = []
  for (const { name } of PROJECTIONS) {
    const checkpoint = await readCheckpoint(database, name)
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

/** Who has read the last message of a partition has read all of it that is published, however far that is behind others. */
function reached(partition: string, position: Position, relay: RelayStatus | null): Position {
  const published = relay?.partitions[partition]
  if (!relay || published === undefined || position < published) return position
  return position > relay.position ? position : relay.position
}
