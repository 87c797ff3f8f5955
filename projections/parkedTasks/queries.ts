import type { Sql } from '../runner/ports.ts'
import type { ParkedTaskRow } from './projection.ts'

/** The newest first; requeued tasks stay until they are completed. */
export function parkedTaskList(sql: Sql, worker: string | null, limit: number): Promise<ParkedTaskRow[]> {
  return sql.query<ParkedTaskRow>(
    `select * from read_models.parked_tasks
     where status <> 'DONE' and ($1::text is null or worker = $1)
     order by parked_at desc, task_id limit $2`,
    [worker, limit],
  )
}

export async function parkedTask(sql: Sql, taskId: string): Promise<ParkedTaskRow | null> {
  const [row] = await sql.query<ParkedTaskRow>('select * from read_models.parked_tasks where task_id = $1', [taskId])
  return row ?? null
}
