import { z } from 'zod'
import { type EventUnion, event, id, isoTime } from './definition.ts'

/** The names of the workers as they appear in readiness, the list of parked tasks and the log. */
export const WORKERS = ['email_worker', 'cv_worker', 'document_worker', 'meeting_worker', 'webhook_worker'] as const
export type WorkerName = (typeof WORKERS)[number]

const worker = z.enum(WORKERS)

export const taskEvents = {
  TaskParked: event(
    1,
    z.strictObject({
      taskId: id,
      worker,
      /** What the task is about, for the operator: a document, or the cause of a mail. */
      subject: z.string(),
      attempts: z.int().positive(),
      error: z.string(),
      parkedAt: isoTime,
    }),
  ),
  TaskRequeued: event(1, z.strictObject({ taskId: id, worker, requeuedAt: isoTime })),
  TaskCompleted: event(
    1,
    z.strictObject({
      taskId: id,
      worker,
      /** False for most tasks, which never appear in the list of parked tasks. */
      wasParked: z.boolean(),
      completedAt: isoTime,
    }),
  ),
}

export type TaskEvent = EventUnion<typeof taskEvents>
