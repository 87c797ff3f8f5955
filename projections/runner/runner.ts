import { BEGINNING, type Checkpoint, type Position } from '../../contracts/position.ts'
import type { Projection } from '../projection.ts'
import { lockModel, readCheckpoint, readPartition, type StoredCheckpoint, writeCheckpoint } from './checkpoints.ts'
import { Lane } from './lane.ts'
import type { Database, Sql } from './ports.ts'
import { RebuildUnderWay } from './rebuildBeside.ts'
import type { RunnerOptions } from './runnerOptions.ts'
import { createTables, LIVE_SCHEMA } from './tables.ts'

/** Events cannot be applied to the stored rows: only a rebuild helps. */
export class RebuildNeeded extends Error {
  /** The rows are from a newer version of the program, so this one must not replace them. */
  readonly isNewer: boolean

  constructor(message: string, isNewer = false) {
    super(message)
    this.name = 'RebuildNeeded'
    this.isNewer = isNewer
  }
}

function versionDiffers({ name, version }: Projection, stored: number): RebuildNeeded {
  return new RebuildNeeded(
    `read model ${name} is of version ${stored}, this program has version ${version}: ` +
      `run "npm run rebuild -- ${name}" with the newer program`,
    stored > version,
  )
}

const RETRY_DELAY_MS = 1_000

/**
 * Keeps one read model up to date. Any number may run: the checkpoint lets one of them advance in each partition. While
 * the model needs a rebuild, it is stopped; it continues once this runner or another process has rebuilt it.
 */
export async function runProjection(options: RunnerOptions, signal: AbortSignal): Promise<void> {
  const { clock, onStopped, onResumed, onTrouble } = options
  let isStopped = false
  const onPrepared = () => {
    if (isStopped) onResumed?.()
    isStopped = false
  }
  while (!signal.aborted) {
    try {
      await followFeed(options, signal, onPrepared)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof RebuildNeeded) {
        if (!isStopped) onStopped?.(error)
        isStopped = true
        if (await rebuilt(error, options, signal)) continue
      } else {
        onTrouble?.(error)
      }
    }
    await clock.delay(RETRY_DELAY_MS, signal)
  }
}

async function rebuilt({ isNewer }: RebuildNeeded, { rebuild, onTrouble }: RunnerOptions, signal: AbortSignal) {
  if (isNewer || !rebuild) return false
  try {
    await rebuild(signal)
    return true
  } catch (error) {
    if (!signal.aborted && !(error instanceof RebuildUnderWay)) onTrouble?.(error)
    return false
  }
}

/** Creates the table and the checkpoint of a model that does not exist yet. */
export async function prepareProjection(
  database: Database,
  projection: Projection,
  partitions: readonly string[],
): Promise<void> {
  // Almost every start finds the model complete, and needs no lock.
  if (isPrepared(await readCheckpoint(database, projection.name), projection, partitions)) return
  await database.transaction(async (sql) => {
    await lockModel(sql, projection)
    const stored = await readCheckpoint(sql, projection.name)
    if (stored) {
      if (stored.version !== projection.version) throw versionDiffers(projection, stored.version)
      await divide(sql, projection, stored.positions, partitions)
      return
    }
    await createTables(sql, projection, LIVE_SCHEMA)
    await writeCheckpoint(sql, projection, partitions)
  })
}

/** The model and its checkpoint exist, in the version of this program and for all partitions of the feed. */
export function isPrepared(
  stored: StoredCheckpoint | null | undefined,
  { version }: Projection,
  partitions: readonly string[],
): boolean {
  return stored?.version === version && partitions.every((partition) => stored.positions[partition] !== undefined)
}

/**
 * Positions belong to the store, not to the feed: a model at the same position in all partitions is at that position in
 * any other partitioning too. With different positions, events would move between partitions, and only a rebuild helps.
 */
async function divide(
  sql: Sql,
  projection: Projection,
  stored: Checkpoint,
  partitions: readonly string[],
): Promise<void> {
  const unknown = partitions.filter((partition) => stored[partition] === undefined)
  if (unknown.length === 0) return
  const locked = await readCheckpoint(sql, projection.name, true)
  const [position, ...others] = new Set(Object.values(locked?.positions ?? {}))
  if (position === undefined || others.length > 0) {
    throw new RebuildNeeded(
      `read model ${projection.name} was built from the partitions ${Object.keys(stored).join(', ')}, but the feed has ` +
        `${unknown.join(', ')}: run "npm run rebuild -- ${projection.name}"`,
    )
  }
  await writeCheckpoint(sql, projection, partitions, position)
}

/** Returns when the checkpoint was moved back or belongs to another version; the caller then starts over. */
async function followFeed(options: RunnerOptions, signal: AbortSignal, onPrepared: () => void): Promise<void> {
  const { projection, database, feed, carrier } = options
  const { categories } = projection
  await prepareProjection(database, projection, feed.partitionsOf(categories))
  onPrepared()
  const ending = new AbortController()
  const ended = AbortSignal.any([signal, ending.signal])
  const lanes = new Map<string, Lane>()
  const reached = async (partition: string): Promise<Position> => {
    const position = await readPartition(database, projection, partition)
    if (position === null) ending.abort()
    return position ?? BEGINNING
  }
  const laneOf = (partition: string): Lane => {
    const lane = lanes.get(partition) ?? new Lane(options, partition, ended, () => ending.abort())
    lanes.set(partition, lane)
    return lane
  }
  const subscription = { consumer: `projector-${projection.name}`, shared: true, carrier, categories }
  try {
    for await (const batch of feed.subscribe({ ...subscription, reached, signal: ended })) {
      await laneOf(batch.partition).take(batch)
    }
  } finally {
    ending.abort()
    await Promise.all([...lanes.values()].map((lane) => lane.settled()))
  }
}
