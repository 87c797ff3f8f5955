import { Gauge } from 'prom-client'
import { countTasks, oldestDue } from '../../../capabilities/tasks/taskTable.ts'
import type { WorkerName } from '../../../contracts/events/task.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { Sql } from '../../../projections/runner/ports.ts'

type Sources = { readonly database: Sql; readonly clock: Pick<Clock, 'now'> }

/** The queues are read at each scrape. Other metrics show that the database is unavailable. */
export function registerTaskMetrics(
  metrics: Metrics,
  workers: readonly WorkerName[],
  { database, clock }: Sources,
): void {
  new Gauge({
    name: 'tollgate_worker_tasks',
    help: 'Tasks that are waiting or parked, by worker',
    labelNames: ['worker', 'status'],
    registers: [metrics],
    async collect() {
      for (const worker of workers) {
        const counts = await countTasks(database, worker).catch(() => null)
        if (!counts) continue
        this.set({ worker, status: 'waiting' }, counts.waiting)
        this.set({ worker, status: 'parked' }, counts.parked)
      }
    },
  })
  new Gauge({
    name: 'tollgate_worker_lag_seconds',
    help: 'How long the oldest task of a worker has been due; 0 if none is. Webhooks and mails are such tasks',
    labelNames: ['worker'],
    registers: [metrics],
    async collect() {
      const due = await oldestDue(database).catch(() => null)
      if (!due) return
      for (const worker of workers) {
        const dueAt = due.get(worker)
        this.set({ worker }, dueAt === undefined ? 0 : Math.max(0, clock.now() - Date.parse(dueAt)) / 1000)
      }
    },
  })
}
