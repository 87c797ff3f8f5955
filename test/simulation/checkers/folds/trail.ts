import { only } from '../events.ts'
import type { Fold, Row } from './fold.ts'

/** Calls, batches of the generator, completed tasks and checkpoints follow from other events. */
const LEFT_OUT = new Set([
  'CallCharged',
  'CallFailed',
  'PriceBookAnchored',
  'BatchStarted',
  'BatchCompleted',
  'TaskCompleted',
  'CheckpointSigned',
])

/** Without what it concerns and what changed. */
const trail: Fold = {
  table: 'trail',
  key: ['stream', 'revision'],
  rowsOf: (events) =>
    events
      .filter(({ type }) => !LEFT_OUT.has(type))
      .map(
        ({ stream, revision, id, type, recordedAt, metadata }): Row => ({
          stream,
          revision,
          event_id: id,
          recorded_at: metadata.recordedAt ?? recordedAt,
          type,
          actor_kind: metadata.actor.kind,
          actor_id: metadata.actor.kind === 'system' ? metadata.actor.name : metadata.actor.id,
          correlation_id: metadata.correlationId,
          causation_id: metadata.causationId,
        }),
      ),
}

const parkedTasks: Fold = {
  table: 'parked_tasks',
  key: ['task_id'],
  rowsOf: (events) => {
    const parked = new Map<string, Row>()
    for (const { type, data } of only(events, 'TaskParked', 'TaskRequeued', 'TaskCompleted')) {
      if (type === 'TaskParked') {
        const { taskId, worker, subject, attempts, error, parkedAt } = data
        parked.set(taskId, { task_id: taskId, worker, subject, attempts, error, status: 'PARKED', parked_at: parkedAt })
      } else {
        const row = parked.get(data.taskId)
        if (row) parked.set(data.taskId, { ...row, status: type === 'TaskRequeued' ? 'REQUEUED' : 'DONE' })
      }
    }
    return [...parked.values()]
  },
}

export const trailFolds: readonly Fold[] = [trail, parkedTasks]
