import { BEGINNING, type Checkpoint, type Position } from '../../contracts/position.ts'
import { partitionName, topicPartitionOf } from '../../contracts/topics.ts'
import type { Projection } from '../projection.ts'
import type { Sql } from './ports.ts'

export type StoredCheckpoint = { readonly version: number; readonly positions: Checkpoint }

type CheckpointRow = { readonly partition: string; readonly version: number; readonly position: Position }

export async function readCheckpoint(sql: Sql, projection: string, lock = false): Promise<StoredCheckpoint | null> {
  const rows = await sql.query<CheckpointRow>(
    `select partition, version, position from read_models.checkpoints
     where projection = $1 order by partition ${lock ? 'for update' : ''}`,
    [projection],
  )
  return checkpointOf(rows)
}

/** The checkpoints of all projections and other consumers, by name, from one snapshot. */
export async function readCheckpoints(sql: Sql): Promise<ReadonlyMap<string, StoredCheckpoint>> {
  const rows = await sql.query<CheckpointRow & { readonly projection: string }>(
    'select projection, partition, version, position from read_models.checkpoints order by projection, partition',
  )
  const checkpoints = new Map<string, StoredCheckpoint>()
  for (const [name, own] of Map.groupBy(rows, ({ projection }) => projection)) {
    const checkpoint = checkpointOf(own)
    if (checkpoint) checkpoints.set(name, checkpoint)
  }
  return checkpoints
}

function checkpointOf(rows: readonly CheckpointRow[]): StoredCheckpoint | null {
  const [first] = rows
  if (!first) return null
  return {
    version: first.version,
    positions: Object.fromEntries(rows.map(({ partition, position }) => [partition, position])),
  }
}

/**
 * How far a model has applied the events of a stream. The partitions of Kafka move independently, and a row is as
 * current as the partition of its stream; the feed of the store has one partition for all streams.
 */
export function positionFor(stream: string, positions: Checkpoint): Position {
  const place = topicPartitionOf(stream)
  const own = place && positions[partitionName(place)]
  return own ?? Object.values(positions).toSorted()[0] ?? BEGINNING
}

/** The lowest position of each of these models, if stored in the version of this program. */
export async function lowestPositions(
  sql: Sql,
  projections: readonly Pick<Projection, 'name' | 'version'>[],
): Promise<Map<string, Position>> {
  const stored = await readCheckpoints(sql)
  const lowest = new Map<string, Position>()
  for (const { name, version } of projections) {
    const checkpoint = stored.get(name)
    const [position] = checkpoint?.version === version ? Object.values(checkpoint.positions).toSorted() : []
    if (position !== undefined) lowest.set(name, position)
  }
  return lowest
}

/** The position of a model in a partition, and the mark of the transaction that wrote it. */
export type MarkedPosition = { readonly position: Position; readonly mark: string }

/** The positions of these models in the partition, by name, if stored in the version of this program. */
export async function markedPositions(
  sql: Sql,
  projections: readonly Pick<Projection, 'name' | 'version'>[],
  partition: string,
): Promise<Map<string, MarkedPosition>> {
  const rows = await sql.query<{ name: string } & MarkedPosition>(
    `select projection as name, position, c.xmin::text as mark from read_models.checkpoints c
     join unnest($1::text[], $2::int[]) as m (projection, version) using (projection, version) where partition = $3`,
    [projections.map(({ name }) => name), projections.map(({ version }) => version), partition],
  )
  return new Map(rows.map(({ name, position, mark }) => [name, { position, mark }]))
}

/** The position of this version of the model in the partition; null for another version or other partitions. */
export async function readPartition(
  sql: Sql,
  projection: Pick<Projection, 'name' | 'version'>,
  partition: string,
): Promise<Position | null> {
  const [row] = await sql.query<{ position: Position }>(
    'select position from read_models.checkpoints where projection = $1 and partition = $2 and version = $3',
    [projection.name, partition, projection.version],
  )
  return row?.position ?? null
}

/** Locks the creation or replacement of a model, so that a first runner and a rebuild do not create it concurrently. */
export async function lockModel(sql: Sql, projection: Pick<Projection, 'name'>): Promise<void> {
  await sql.query('select pg_advisory_xact_lock(hashtext($1))', [`read model ${projection.name}`])
}

type Move = {
  readonly projection: Pick<Projection, 'name' | 'version'>
  readonly partition: string
  readonly from: Position
  readonly to: Position
}

/**
 * Compare and set: of two runners that read the same events, only one moves the checkpoint and writes its rows.
 * Returns false if another runner moved it, or if it now belongs to another version.
 */
export async function advanceCheckpoint(sql: Sql, { projection, partition, from, to }: Move): Promise<boolean> {
  const moved = await sql.query(
    `update read_models.checkpoints set position = $5, moved_at = clock_timestamp()
     where projection = $1 and partition = $2 and version = $3 and position = $4 returning 1`,
    [projection.name, partition, projection.version, from, to],
    'advance-checkpoint',
  )
  return moved.length === 1
}

/** A completed move. Each transaction that writes a checkpoint sets a new mark, which the next one checks. */
export type Moved<M> = { readonly move: M; readonly markBefore: string; readonly mark: string }

/** Like advanceCheckpoint, for several at once. Returns those that moved. */
export async function advanceCheckpoints<M extends Move>(
  sql: Sql,
  moves: readonly M[],
  /** Whether to wait for checkpoints that another transaction holds, or to skip them. */
  held: 'waits' | 'passes over',
): Promise<Moved<M>[]> {
  const moved = await sql.query<{ n: number; before: string; after: string }>(
    `with held as (
       select projection, partition, m.n, m."to", c.xmin as before from read_models.checkpoints c
       join unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[])
         with ordinality as m (projection, partition, version, "from", "to", n) using (projection, partition, version)
       where c.position = m."from" for update of c ${held === 'waits' ? '' : 'skip locked'}
     )
     update read_models.checkpoints c set position = held."to", moved_at = clock_timestamp() from held
     where c.projection = held.projection and c.partition = held.partition
     returning held.n::int, held.before::text, c.xmin::text as after`,
    [
      moves.map(({ projection }) => projection.name),
      moves.map(({ partition }) => partition),
      moves.map(({ projection }) => projection.version),
      moves.map(({ from }) => from),
      moves.map(({ to }) => to),
    ],
    `advance checkpoints, ${held}`,
  )
  return moved.flatMap(({ n, before, after }) => {
    const move = moves[n - 1]
    return move ? [{ move, markBefore: before, mark: after }] : []
  })
}

/** Sets all partitions at once: the start of a new model, and the end of a rebuild. */
export async function writeCheckpoint(
  sql: Sql,
  projection: Pick<Projection, 'name' | 'version'>,
  partitions: readonly string[],
  position: Position = BEGINNING,
): Promise<void> {
  await sql.query('delete from read_models.checkpoints where projection = $1', [projection.name])
  await sql.query(
    `insert into read_models.checkpoints (projection, partition, version, position, moved_at)
     select $1, partition, $2, $3, case when $3 <> $5 then clock_timestamp() end from unnest($4::text[]) as partition`,
    [projection.name, projection.version, position, partitions, BEGINNING],
  )
}

/** When each projection last moved forward on any partition, by the database clock. */
export async function readMovedAt(sql: Sql): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.query<{ projection: string; movedAt: string | null }>(
    'select projection, max(moved_at) as moved_at from read_models.checkpoints group by projection',
  )
  return new Map(rows.flatMap(({ projection, movedAt }) => (movedAt === null ? [] : [[projection, movedAt]])))
}

/** The position of a consumer without rows. It tolerates repeated events, so unknown partitions start at the lowest position. */
export async function placeOf(sql: Sql, consumer: string, partition: string): Promise<Position> {
  const positions = (await readCheckpoint(sql, consumer))?.positions ?? {}
  return positions[partition] ?? Object.values(positions).toSorted()[0] ?? BEGINNING
}

/** Only moves forward, so that the slower of two consumers does not move the position back. */
export async function keepPlace(sql: Sql, consumer: string, partition: string, position: Position): Promise<void> {
  await sql.query(
    `insert into read_models.checkpoints (projection, partition, version, position, moved_at)
     values ($1, $2, 1, $3, clock_timestamp())
     on conflict (projection, partition) do update set position = $3, moved_at = excluded.moved_at
       where checkpoints.position < $3`,
    [consumer, partition, position],
  )
}
