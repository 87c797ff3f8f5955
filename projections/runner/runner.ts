import { LIMITS } from '../../contracts/limits.ts'
import { BEGINNING, type Checkpoint, type Position } from '../../contracts/position.ts'
import type { Projection } from '../projection.ts'
import { advanceCheckpoint, lockModel, readCheckpoint, writeCheckpoint } from './checkpoints.ts'
import type { Database, Feed, FeedBatch } from './ports.ts'
import { applyBatch, createTables, LIVE_SCHEMA } from './tables.ts'

export type RunnerOptions = {
  readonly projection: Projection
  readonly database: Database
  readonly feed: Feed
  readonly clock: { now(): number; delay(ms: number, signal?: AbortSignal): Promise<void> }
  /** Told after every transaction, with the number of events in it. */
  readonly onAdvanced?: (partition: string, position: Position, events: number) => void
  /** Told when the database or the feed fails; the runner tries again by itself. */
  readonly onTrouble?: (error: unknown) => void
}

/** The stored model belongs to another version of the projection than this program's. */
export class ProjectionVersionDiffers extends Error {
  constructor(projection: Projection, stored: number) {
    super(
      `read model ${projection.name} is of version ${stored}, this program has version ${projection.version}: ` +
        `run "npm run rebuild -- ${projection.name}" with the newer program`,
    )
    this.name = 'ProjectionVersionDiffers'
  }
}

const RETRY_DELAY_MS = 1_000

/** Keeps one read model up to date. Run as many as you like: the checkpoint lets one of them advance. */
export async function runProjection(options: RunnerOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await followFromCheckpoint(options, signal)
    } catch (error) {
      if (error instanceof ProjectionVersionDiffers) throw error
      if (signal.aborted) return
      options.onTrouble?.(error)
      await options.clock.delay(RETRY_DELAY_MS, signal)
    }
  }
}

/** Makes the table and the checkpoint of a model that does not exist yet, and answers where it stands. */
export async function prepareProjection(database: Database, projection: Projection, partitions: readonly string[]) {
  return database.transaction(async (sql) => {
    await lockModel(sql, projection)
    const stored = await readCheckpoint(sql, projection.name)
    if (stored) {
      if (stored.version !== projection.version) throw new ProjectionVersionDiffers(projection, stored.version)
      requirePartitions(projection, stored.positions, partitions)
      return stored.positions
    }
    await createTables(sql, projection, LIVE_SCHEMA)
    await writeCheckpoint(sql, projection, partitions)
    return Object.fromEntries(partitions.map((partition) => [partition, BEGINNING]))
  })
}

/** Events move between partitions when the feed is divided anew: where to go on in each, only a rebuild can tell. */
function requirePartitions(projection: Projection, stored: Checkpoint, partitions: readonly string[]): void {
  const unknown = partitions.filter((partition) => stored[partition] === undefined)
  if (unknown.length === 0) return
  throw new Error(
    `read model ${projection.name} was read by the partitions ${Object.keys(stored).join(', ')}, but the feed has ` +
      `${unknown.join(', ')}: run "npm run rebuild -- ${projection.name}"`,
  )
}

/** Returns when another runner has moved the checkpoint: the caller starts again from where that one stands. */
async function followFromCheckpoint(options: RunnerOptions, signal: AbortSignal): Promise<void> {
  const { projection, database, feed, clock } = options
  const from = await prepareProjection(database, projection, feed.partitions)
  const stored = new Map(Object.entries(from))
  let checkpointWrittenAt = clock.now()
  const subscription = { consumer: `projector-${projection.name}`, categories: projection.categories, from, signal }
  for await (const batch of feed.subscribe(subscription)) {
    // A checkpoint that moves over other streams' events only is written now and then, not for each of them.
    if (batch.events.length === 0 && clock.now() - checkpointWrittenAt < LIMITS.idleCheckpointMs) continue
    if (!(await commit(options, batch, stored.get(batch.partition) ?? BEGINNING))) return
    stored.set(batch.partition, batch.position)
    checkpointWrittenAt = clock.now()
    options.onAdvanced?.(batch.partition, batch.position, batch.events.length)
    await clock.delay(gatherMs(batch.events.length), signal)
  }
}

/** A transaction costs about the same for one event as for a hundred: under load it waits for more, behind it does not. */
function gatherMs(events: number): number {
  if (events >= LIMITS.projectionBatchEventsMax / 2) return 0
  return events < LIMITS.busyEventsMin ? LIMITS.projectionGatherMs.quiet : LIMITS.projectionGatherMs.busy
}

/** Rows and checkpoint are lost or kept together, so the commit need not wait for the disk: what is lost comes again. */
function commit({ projection, database, feed }: RunnerOptions, batch: FeedBatch, from: Position): Promise<boolean> {
  return database.transaction(
    async (sql) => {
      // First, because it locks the checkpoint: a second runner or a rebuild waits here and then sees that it moved.
      const mine = await advanceCheckpoint(sql, projection, batch.partition, from, batch.position)
      if (mine) await applyBatch(sql, projection, LIVE_SCHEMA, batch.events, feed.idsAreUnique)
      return mine
    },
    { repeatable: true },
  )
}
