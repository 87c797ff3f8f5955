import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { BatchResult, GeneratorEvent } from '../../contracts/events/generator.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { fold } from '../decider.ts'
import { generatorDecider } from './decider.ts'

const name = 'match-scores'
const at = '2026-03-01T10:00:00.000Z'
const given = specificationOf(generatorDecider)

const started = (lastBatch = 0): GeneratorEvent => ({
  type: 'GeneratorStarted',
  data: { name, lastBatch, startedAt: at },
})
const stopped = (lastBatch = 0): GeneratorEvent => ({
  type: 'GeneratorStopped',
  data: { name, lastBatch, stoppedAt: at },
})
const begun = (batch: number): GeneratorEvent => ({
  type: 'BatchStarted',
  data: { name, batch, pairs: 3, startedAt: at },
})
const result: BatchResult = {
  jobs: [{ jobId: randomUUID(), companyId: randomUUID(), version: 'v1' }],
  talents: [{ talentId: randomUUID(), version: 'v1' }],
  scores: [
    {
      job: 0,
      talent: 0,
      score: 70,
      parts: { skills: 70, experience: 70, location: 70, language: 70, seniority: 70 },
      adjustment: null,
      explanation: 'Meets all.',
    },
  ],
  failed: 0,
}
const completed = (batch: number): GeneratorEvent => ({
  type: 'BatchCompleted',
  data: { name, batch, ...result, completedAt: at },
})
const begin = (batch: number, isOpen = false) =>
  ({ type: 'StartBatch', name, pairs: 3, since: { batch, isOpen }, at }) as const
const complete = (batch: number) => ({ type: 'CompleteBatch', name, batch, result, at }) as const

describe('starting and stopping', () => {
  test('each happens once: repeating it changes nothing', () => {
    given().when({ type: 'StartGenerator', name, at }).then(started())
    given(started()).when({ type: 'StartGenerator', name, at }).thenNothing()
    given(started()).when({ type: 'StopGenerator', name, at }).then(stopped())
    given().when({ type: 'StopGenerator', name, at }).thenNothing()
    given(started(), stopped()).when({ type: 'StopGenerator', name, at }).thenNothing()
  })

  test('a new start continues the batch numbers', () => {
    const history = [started(), begun(1), completed(1), stopped(1)]
    given(...history)
      .when({ type: 'StartGenerator', name, at })
      .then(started(1))
    given(...history, started(1))
      .when(begin(1))
      .then(begun(2))
  })
})

describe('a batch', () => {
  test('starts while the generator runs, and completes', () => {
    given(started()).when(begin(0)).then(begun(1))
    given(started(), begun(1)).when(complete(1)).then(completed(1))
  })

  test('does not start after a stop', () => {
    given(started(), stopped())
      .when(begin(0))
      .thenThrows('CONFLICT', /stopped/)
  })

  test('in progress is completed even if the generator was stopped meanwhile', () => {
    given(started(), begun(1), stopped(1)).when(complete(1)).then(completed(1))
  })

  test('is completed once', () => {
    given(started(), begun(1), completed(1)).when(complete(1)).thenThrows('CONFLICT')
  })

  test('does not start with pairs that another process may have scored meanwhile', () => {
    given(started(), begun(1), completed(1))
      .when(begin(1, true))
      .thenThrows('CONFLICT', /another process/)
    given(started(), begun(1), completed(1))
      .when(begin(0))
      .thenThrows('CONFLICT', /another process/)
    given(started(), begun(1), completed(1)).when(begin(1)).then(begun(2))
  })

  test('of a dead process is abandoned, and refused if that process completes it after all', () => {
    given(started(), begun(1)).when(begin(1, true)).then(begun(2))
    given(started(), begun(1), begun(2)).when(complete(1)).thenThrows('CONFLICT')
  })
})

test('the events since the last BatchStarted fold to the same state as the whole stream', () => {
  const history = [
    started(),
    begun(1),
    completed(1),
    begun(2),
    stopped(2),
    completed(2),
    started(2),
    begun(3),
    stopped(3),
  ]
  for (let length = 2; length <= history.length; length++) {
    const whole = history.slice(0, length)
    const from = whole.findLastIndex(({ type }) => type === 'BatchStarted')
    expect(fold(generatorDecider, whole.slice(from))).toEqual(fold(generatorDecider, whole))
  }
})
