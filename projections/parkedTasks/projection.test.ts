import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { TaskEvent } from '../../contracts/events/task.ts'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/events/history.ts'
import { AT } from '../../test/support/events/ledgerEvents.ts'
import { completed, parked, requeued } from '../../test/support/events/workerEvents.ts'
import { applyEvents } from '../projection.ts'
import { parkedTasks } from './projection.ts'

const taskId = randomUUID()
const rowsAfter = (...events: TaskEvent[]) => [
  ...applyEvents(parkedTasks, history(streamName('task', taskId), ...events)).values(),
]

test('a parked task has a row with what an operator needs', () => {
  const facts = { worker: 'cv_worker', subject: 'CV 1', attempts: 6, error: 'the provider is away', parkedAt: AT }
  expect(rowsAfter(parked(taskId))).toEqual([{ taskId, ...facts, status: 'PARKED' }])
})

test('a parked task is requeued and completed', () => {
  expect(rowsAfter(parked(taskId), requeued(taskId))).toMatchObject([{ status: 'REQUEUED' }])
  expect(rowsAfter(parked(taskId), requeued(taskId), completed(taskId, true))).toMatchObject([{ status: 'DONE' }])
  expect(rowsAfter(parked(taskId), requeued(taskId), parked(taskId))).toMatchObject([{ status: 'PARKED' }])
})

test('a task that was never parked has no row', () => {
  expect(rowsAfter(completed(taskId, false))).toEqual([])
})
