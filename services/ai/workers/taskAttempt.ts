import { type HeldTask, keepTask } from '../../../capabilities/tasks/taskTable.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { settlesWithin } from '../../../platform/clock/within.ts'
import type { Database } from '../../../projections/runner/ports.ts'
import { NotNow, type Worker } from './worker.ts'

export type AttemptOptions = {
  readonly worker: Worker
  readonly database: Database
  readonly clock: Clock
  readonly leaseMs: number
  readonly attemptMs: number
  /** Cancels the attempt, which then does not count. */
  readonly cancel: AbortSignal
}

/** Performs the task once. The lease is renewed meanwhile; an attempt that loses it is canceled. */
export async function attemptTask(options: AttemptOptions, task: HeldTask): Promise<void> {
  const { worker, clock, attemptMs, cancel } = options
  const { taskId, payload } = task
  const ended = new AbortController()
  const lost = new AbortController()
  const canceled = AbortSignal.any([lost.signal, cancel])
  const renewing = renewLease(options, task, lost, ended.signal)
  try {
    const performed = worker.perform({ taskId, payload }, AbortSignal.any([ended.signal, canceled]))
    const isInTime = await settlesWithin(performed, attemptMs, clock, canceled)
    if (!isInTime) throw new Error(`the attempt took longer than ${attemptMs} ms`)
  } catch (error) {
    throw canceled.aborted ? new NotNow('the attempt was canceled', 0) : error
  } finally {
    ended.abort()
    await renewing
  }
}

async function renewLease(
  { database, clock, leaseMs }: AttemptOptions,
  task: HeldTask,
  lost: AbortController,
  ended: AbortSignal,
): Promise<void> {
  let leasedUntilMs = clock.now() + leaseMs
  while (!ended.aborted) {
    await clock.delay(leaseMs / 3, ended)
    if (ended.aborted) return
    const askedAt = clock.now()
    const isKept = await keepTask(database, task, leaseMs).catch(() => null)
    if (isKept) leasedUntilMs = askedAt + leaseMs
    else if (isKept === false || clock.now() >= leasedUntilMs) {
      lost.abort()
      return
    }
  }
}
