import { BUSY_EVENTS_MIN } from '../../../projections/runner/batchLimits.ts'

/** How long an intake waits for more events before its next transaction. */
export const INTAKE_GATHER_MS = { quiet: 5, steady: 200, busy: 300 } as const
/** So many batches in a row without a task are the calls of a company that has enough credits, and no mail is due soon. */
export const STEADY_FRUITLESS_MIN = 8

/**
 * A transaction costs about the same for one event as for a hundred, and no caller waits for a worker. Every call is an
 * event, and few of them lead to a task: if each had its transaction, they would cost more than the calls' own appends. The
 * first event after a quiet time is read at once, and so is what follows an event that led to a task.
 */
export function intakeGatherMs(events: number, fruitlessInARow: number): number {
  const { quiet, steady, busy } = INTAKE_GATHER_MS
  if (events >= BUSY_EVENTS_MIN) return busy
  return fruitlessInARow < STEADY_FRUITLESS_MIN ? quiet : steady
}
