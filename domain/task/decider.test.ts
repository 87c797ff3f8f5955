import { test } from 'vitest'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { type TaskCommand, taskDecider } from './decider.ts'

const given = specificationOf(taskDecider)

const of = { taskId: '99999999-9999-5999-8999-999999999999', worker: 'cv_worker' } as const
const at = '2026-03-01T10:00:00.000Z'
const facts = { subject: 'CV 1', attempts: 6, error: 'the provider is away' }
const park: TaskCommand = { type: 'ParkTask', ...of, ...facts, at }
const requeue: TaskCommand = { type: 'RequeueTask', ...of, at }
const complete: TaskCommand = { type: 'CompleteTask', ...of, at }
const parked = { type: 'TaskParked', data: { ...of, ...facts, parkedAt: at } } as const
const requeued = { type: 'TaskRequeued', data: { ...of, requeuedAt: at } } as const
const completed = { type: 'TaskCompleted', data: { ...of, wasParked: false, completedAt: at } } as const

test('a successful task is completed once', () => {
  given().when(complete).then(completed)
  given(completed).when(complete).thenNothing()
})

test('a failing task is parked, requeued, and may be parked again', () => {
  given().when(park).then(parked)
  given(parked).when(park).thenNothing()
  given(parked).when(requeue).then(requeued)
  given(parked, requeued).when(requeue).thenNothing()
  given(parked, requeued).when(park).then(parked)
})

test('the completion of a task records whether it was parked', () => {
  const afterwards = { ...completed, data: { ...completed.data, wasParked: true } }
  given(parked, requeued).when(complete).then(afterwards)
  given(parked).when(complete).then(afterwards)
})

test('a completed task can neither be parked nor requeued', () => {
  given(completed).when(park).thenNothing()
  given(completed)
    .when(requeue)
    .thenThrows('CONFLICT', /is completed/)
})

test('only a parked task can be requeued', () => {
  given()
    .when(requeue)
    .thenThrows('NOT_FOUND', /no parked task/)
})
