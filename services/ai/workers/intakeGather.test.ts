import { expect, test } from 'vitest'
import { BUSY_EVENTS_MIN } from '../../../projections/runner/batchLimits.ts'
import { INTAKE_GATHER_MS, intakeGatherMs, STEADY_FRUITLESS_MIN } from './taskIntake.ts'

test.each([
  ['a few events are followed at once', 1, 0, INTAKE_GATHER_MS.quiet],
  ['events after few batches without a task are, too', 1, STEADY_FRUITLESS_MIN - 1, INTAKE_GATHER_MS.quiet],
  ['calls that keep coming and lead to no task are gathered', 1, STEADY_FRUITLESS_MIN, INTAKE_GATHER_MS.steady],
  ['many events are gathered, also if they lead to tasks', BUSY_EVENTS_MIN, 0, INTAKE_GATHER_MS.busy],
])('an intake gathers events: %s', (_, events, fruitlessInARow, expected) => {
  expect(intakeGatherMs(events, fruitlessInARow)).toBe(expected)
})
