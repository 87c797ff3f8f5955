import type { WorkerName } from '../../contracts/events/task.ts'
import type { Sql } from '../../projections/runner/ports.ts'

export type TaskPayload = Readonly<Record<string, unknown>>

export type NewTask = {
  readonly taskId: string
  readonly subject: string
  readonly payload: TaskPayload
}

/** A task that this process holds until its lease expires. */
export type HeldTask = NewTask & {
  /** The number of attempts before this one. */
  readonly attempts: number
  readonly epoch: number
}

/** Existing tasks are left unchanged. Returns the number inserted. */
export async function addTasks(sql: Sql, worker: WorkerName, tasks: readonly NewTask[], at: string): Promise<number> {
  if (tasks.length === 0) return 0
  const added = await sql.query(
    `insert into platform.tasks (task_id, worker, subject, payload, due_at)
     select "taskId", $1, subject, payload, $2 from json_to_recordset($3::json) as t("taskId" uuid, subject text, payload jsonb)
     on conflict do nothing returning 1`,
    [worker, at, JSON.stringify(tasks)],
  )
  return added.length
}

/** The ids that have no row. */
export async function unknownTasks(sql: Sql, taskIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>(
    'select id from unnest($1::uuid[]) as id where not exists (select 1 from platform.tasks where task_id = id)',
    [taskIds],
  )
  return new Set(rows.map(({ id }) => id))
}

export type Taking = {
  readonly at: string
  readonly limit: number
  readonly leaseMs: number
  /** The queue of each task that the caller already holds. */
  readonly held?: readonly string[]
  /** How many tasks of one queue the caller may hold at once. */
  readonly perQueueMax?: number
}

/** Must match the expression in the table's index. */
const QUEUE = "coalesce(payload->>'queue', payload->>'companyId', '')"
const WAITING = "worker = $1 and status = 'waiting'"
const NOT_LEASED = '(leased_until is null or leased_until <= clock_timestamp())'

/** The queue of a task: the one that it names, or that of its company. Tasks without either share one queue. */
export function queueOf({ payload }: Pick<NewTask, 'payload'>): string {
  const { queue, companyId } = payload
  if (typeof queue === 'string') return queue
  return typeof companyId === 'string' ? companyId : ''
}

/**
 * Takes due tasks that no process holds. The queues take turns, each with its oldest task first, and those with fewer
 * running tasks come first. A long queue does not block the others. Concurrent calls never take the same task.
 */
export async function takeTasks(
  sql: Sql,
  worker: WorkerName,
  { at, limit, leaseMs, held = [], perQueueMax = limit + held.length }: Taking,
): Promise<HeldTask[]> {
  const rows = await sql.query<{
    taskId: string
    subject: string
    payload: TaskPayload
    attempts: number
    leaseEpoch: string
  }>(
    `with recursive queues(queue) as (
       (select ${QUEUE} from platform.tasks
        where ${WAITING} and exists (select 1 from platform.tasks where ${WAITING} and due_at <= $2)
        order by ${QUEUE} limit 1)
       union all
       select (select ${QUEUE} from platform.tasks where ${WAITING} and ${QUEUE} > queues.queue order by ${QUEUE} limit 1)
       from queues where queues.queue is not null
     ), turns as (
       select task_id, place + cardinality(array_positions($5::text[], queues.queue)) as turn
       from queues cross join lateral (
         select task_id, row_number() over (order by due_at) as place from (
           select task_id, due_at from platform.tasks
           where ${WAITING} and ${QUEUE} = queues.queue and due_at <= $2 and ${NOT_LEASED}
           order by due_at limit $3
         ) as first
       ) as due
     ), taken as materialized (
       select t.task_id from platform.tasks t join turns using (task_id)
       where turn <= $6 and t.status = 'waiting' and (t.leased_until is null or t.leased_until <= clock_timestamp())
       order by turn, t.due_at limit $3 for update of t skip locked
     )
     update platform.tasks set lease_epoch = lease_epoch + 1, leased_until = clock_timestamp() + $4 * interval '1 ms'
     where task_id in (select task_id from taken)
     returning task_id, subject, payload, attempts, lease_epoch`,
    [worker, at, limit, leaseMs, held, perQueueMax],
    // Planning takes five times as long as finding no task, which every worker does several times a second.
    'take-tasks',
  )
  return rows.map(({ leaseEpoch: epoch, ...row }) => ({ ...row, epoch: Number(epoch) }))
}

type Hold = Pick<HeldTask, 'taskId' | 'epoch'>

/** False if another process has taken the task. */
export async function keepTask(sql: Sql, { taskId, epoch }: Hold, leaseMs: number): Promise<boolean> {
  const kept = await sql.query(
    `update platform.tasks set leased_until = clock_timestamp() + $3 * interval '1 ms'
     where task_id = $1 and lease_epoch = $2 returning 1`,
    [taskId, epoch, leaseMs],
  )
  return kept.length === 1
}

/** Releases the task for another attempt when it is due. */
export async function releaseTask(sql: Sql, { taskId, epoch }: Hold, attempts: number, dueAt: string): Promise<void> {
  await sql.query(
    `update platform.tasks set attempts = $3, due_at = $4, leased_until = null
     where task_id = $1 and lease_epoch = $2 and status = 'waiting'`,
    [taskId, epoch, attempts, dueAt],
  )
}

/** Records the outcome that is in the task's stream. */
export async function settleTask(sql: Sql, taskId: string, status: 'parked' | 'done'): Promise<void> {
  await sql.query(
    `update platform.tasks set status = $2, leased_until = null,
       done_at = case when $2 = 'done' then clock_timestamp() end
     where task_id = $1 and status <> 'done'`,
    [taskId, status],
  )
}

/** Makes a parked task wait again, with its attempts reset. */
export async function reopenTask(sql: Sql, taskId: string, at: string): Promise<void> {
  await sql.query(
    `update platform.tasks set status = 'waiting', attempts = 0, due_at = $2, leased_until = null
     where task_id = $1 and status = 'parked'`,
    [taskId, at],
  )
}

/** Deletes tasks that were done long ago. Their streams still record them. */
export async function forgetDoneTasks(sql: Sql, worker: WorkerName, keptMs: number): Promise<void> {
  await sql.query(
    `delete from platform.tasks
     where worker = $1 and status = 'done' and done_at < clock_timestamp() - $2 * interval '1 ms'`,
    [worker, keptMs],
  )
}

/** The number of waiting and of parked tasks. */
export async function countTasks(sql: Sql, worker: WorkerName): Promise<{ waiting: number; parked: number }> {
  const [row] = await sql.query<{ waiting: number; parked: number }>(
    `select count(*) filter (where status = 'waiting')::int as waiting, count(*) filter (where status = 'parked')::int as parked
     from platform.tasks where worker = $1 and status <> 'done'`,
    [worker],
  )
  return row ?? { waiting: 0, parked: 0 }
}

/** When the first waiting task of each worker is due. */
export async function oldestDue(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql.query<{ worker: string; dueAt: string }>(
    "select worker, min(due_at) as due_at from platform.tasks where status = 'waiting' group by worker",
  )
  return new Map(rows.map(({ worker, dueAt }) => [worker, dueAt]))
}
