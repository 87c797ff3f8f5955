import type { TaskEvent, WorkerName } from '../../contracts/events/task.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'

/** A task is open without an event of its own: it follows from events elsewhere. Only its outcome is recorded here. */
export type TaskState = {
  readonly status: 'open' | 'parked' | 'requeued' | 'completed'
}

export function evolve(_state: TaskState, event: TaskEvent): TaskState {
  switch (event.type) {
    case 'TaskParked':
      return { status: 'parked' }
    case 'TaskRequeued':
      return { status: 'requeued' }
    case 'TaskCompleted':
      return { status: 'completed' }
    default:
      return unexpected(event)
  }
}

export type TaskCommand = { readonly taskId: string; readonly worker: WorkerName; readonly at: string } & (
  | {
      readonly type: 'ParkTask'
      readonly subject: string
      readonly attempts: number
      readonly error: string
    }
  | { readonly type: 'RequeueTask' | 'CompleteTask' }
)

export function decide(command: TaskCommand, { status }: TaskState): TaskEvent[] {
  const { taskId, worker, at } = command
  switch (command.type) {
    case 'ParkTask': {
      if (status === 'parked' || status === 'completed') return []
      const { subject, attempts, error } = command
      return [{ type: 'TaskParked', data: { taskId, worker, subject, attempts, error, parkedAt: at } }]
    }
    case 'RequeueTask':
      if (status === 'open') throw new Refusal('NOT_FOUND', `there is no parked task ${taskId}`)
      if (status === 'completed') throw new Refusal('CONFLICT', `task ${taskId} is completed`)
      return status === 'requeued' ? [] : [{ type: 'TaskRequeued', data: { taskId, worker, requeuedAt: at } }]
    case 'CompleteTask':
      if (status === 'completed') return []
      return [{ type: 'TaskCompleted', data: { taskId, worker, wasParked: status !== 'open', completedAt: at } }]
    default:
      return unexpected(command)
  }
}

export const taskDecider: Decider<TaskState, TaskCommand, TaskEvent> = {
  initialState: () => ({ status: 'open' }),
  evolve,
  decide,
}
