import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { WorkerName } from '../../contracts/events/task.ts'
import type { Sql } from '../../projections/runner/ports.ts'

/** The state of a worker for a stream, and the last revision that it includes. */
export type Remembered = { readonly revision: number; readonly memory: unknown }

export async function recall(
  sql: Sql,
  worker: WorkerName,
  streams: readonly string[],
): Promise<Map<string, Remembered>> {
  const rows = await sql.query<{ stream: string; revision: string; memory: unknown }>(
    'select stream, revision, memory from platform.worker_memory where worker = $1 and stream = any($2)',
    [worker, streams],
  )
  return new Map(rows.map(({ stream, revision, memory }) => [stream, { revision: Number(revision), memory }]))
}

export async function remember(sql: Sql, worker: WorkerName, known: ReadonlyMap<string, Remembered>): Promise<void> {
  if (known.size === 0) return
  await sql.query(
    `insert into platform.worker_memory (worker, stream, revision, memory)
     select $1, stream, revision, memory from json_to_recordset($2::json) as m(stream text, revision bigint, memory jsonb)
     on conflict (worker, stream) do update set revision = excluded.revision, memory = excluded.memory`,
    [worker, JSON.stringify([...known].map(([stream, row]) => ({ stream, ...row })))],
  )
}

/** The events that were not counted before, each once: a store without unique ids may hold an event twice. */
export async function countedOnce<Event extends RecordedEvent>(
  sql: Sql,
  worker: WorkerName,
  events: readonly Event[],
): Promise<Event[]> {
  const rows = await sql.query<{ eventId: string }>(
    `insert into platform.worker_counted (worker, event_id) select distinct $1, unnest($2::uuid[])
     on conflict do nothing returning event_id`,
    [worker, events.map(({ id }) => id)],
  )
  const fresh = new Set(rows.map(({ eventId }) => eventId))
  return events.filter(({ id }) => fresh.delete(id))
}
