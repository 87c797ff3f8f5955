import type { TaskEvent, WorkerName } from '../../contracts/events/task.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type ParkedTaskRow = {
  readonly taskId: string
  readonly worker: WorkerName
  readonly subject: string
  readonly attempts: number
  readonly error: string
  readonly status: 'PARKED' | 'REQUEUED' | 'DONE'
  readonly parkedAt: string
}

/** Tasks that were parked at some time. Tasks that simply succeeded have no row. */
export const parkedTasks: Projection<ParkedTaskRow, TaskEvent> = {
  name: 'parked-tasks',
  version: 1,
  categories: ['task'],
  table: 'parked_tasks',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['taskId'],
  rowsOf: (event) => {
    if (event.type === 'TaskCompleted' && !event.data.wasParked) return []
    return [{ taskId: event.data.taskId }]
  },
  evolve: (row, event) => {
    if (event.type === 'TaskParked') {
      const { taskId, worker, subject, attempts, error, parkedAt } = event.data
      return { taskId, worker, subject, attempts, error, status: 'PARKED', parkedAt }
    }
    if (!row) throw new Error(`${event.type} of task ${event.data.taskId}, which was never parked`)
    switch (event.type) {
      case 'TaskRequeued':
        return { ...row, status: 'REQUEUED' }
      case 'TaskCompleted':
        return { ...row, status: 'DONE' }
      default:
        return unexpected(event)
    }
  },
}
