import { BEGINNING, type Checkpoint, type Position } from '../../contracts/position.ts'
import type { Database } from '../../projections/runner/ports.ts'

/** The position up to which the store is published, and the position of the last message of each partition. */
export type RelayProgress = { readonly position: Position; readonly partitions: Checkpoint }

export type RelayStatus = RelayProgress & {
  readonly feedId: string
  readonly epoch: number
  /** ISO 8601; when the position was last updated. */
  readonly updatedAt: string
}

/** Another relay has taken over, so this one must stop. */
export class RelayReplaced extends Error {
  constructor(epoch: number) {
    super(`the relay of epoch ${epoch} was replaced by a later one`)
    this.name = 'RelayReplaced'
  }
}

/** The id in the name of every topic and consumer group of this installation. */
export async function readFeedId(database: Pick<Database, 'query'>): Promise<string> {
  const [row] = await database.query<{ feedId: string }>('select feed_id from feed.relay')
  if (!row) throw new Error('table feed.relay has no row: the migrations of this database are incomplete')
  return row.feedId
}

/** Locks out earlier leaders, and returns where they stopped. */
export async function beginEpoch(database: Database, epoch: number): Promise<RelayProgress> {
  return database.transaction(async (sql) => {
    const [row] = await sql.query<{ position: Position }>(
      'update feed.relay set epoch = $1 where epoch < $1 returning position',
      [epoch],
    )
    if (!row) throw new RelayReplaced(epoch)
    const partitions = await sql.query<{ partition: string; position: Position }>('select * from feed.partitions')
    return {
      position: row.position,
      partitions: Object.fromEntries(partitions.map(({ partition, position }) => [partition, position])),
    }
  })
}

/** A crash may lose the update: the messages since are then published again, and consumers drop them. */
export async function saveProgress(
  database: Database,
  epoch: number,
  position: Position,
  partitions: ReadonlyMap<string, Position>,
): Promise<void> {
  await database.transaction(
    async (sql) => {
      const mine = await sql.query(
        'update feed.relay set position = $2, updated_at = clock_timestamp() where epoch = $1 returning 1',
        [epoch, position],
      )
      if (mine.length === 0) throw new RelayReplaced(epoch)
      await sql.query(
        `insert into feed.partitions (partition, position) select * from unnest($1::text[], $2::text[])
         on conflict (partition) do update set position = excluded.position`,
        [[...partitions.keys()], [...partitions.values()]],
      )
    },
    { repeatable: true },
  )
}

/** For operators. With `read_models.checkpoints` and `platform.leases` it shows the progress of the whole feed. */
export async function readRelayStatus(database: Pick<Database, 'query'>): Promise<RelayStatus> {
  const [row] = await database.query<{
    feedId: string
    epoch: string
    position: Position
    updatedAt: string
    partitions: Checkpoint | null
  }>(
    `select feed_id, epoch, position, updated_at,
            (select json_object_agg(p.partition, p.position) from feed.partitions p) as partitions
     from feed.relay`,
  )
  return {
    feedId: row?.feedId ?? '',
    epoch: Number(row?.epoch ?? 0),
    position: row?.position ?? BEGINNING,
    updatedAt: row?.updatedAt ?? '',
    partitions: row?.partitions ?? {},
  }
}
