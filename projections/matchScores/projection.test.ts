import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { BatchScore, GeneratorEvent } from '../../contracts/events/generator.ts'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/events/history.ts'
import { AT } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { matchScores } from './projection.ts'

const companyId = randomUUID()
const [jobId, talentOne, talentTwo] = [randomUUID(), randomUUID(), randomUUID()]
const name = 'match-scores'
const LATER = '2026-03-02T10:00:00.000Z'

const scoreOf = (talent: number, score: number): BatchScore => ({
  job: 0,
  talent,
  score,
  parts: { skills: score, experience: 100, location: 20, language: 100, seniority: 60 },
  adjustment: talent === 0 ? null : -2,
  explanation: `About ${score}.`,
})
const batchOf = (batch: number, scores: BatchScore[], version = 'v1', completedAt = AT): GeneratorEvent => ({
  type: 'BatchCompleted',
  data: {
    name,
    batch,
    jobs: [{ jobId, companyId, version }],
    talents: [
      { talentId: talentOne, version: 't1' },
      { talentId: talentTwo, version: 't2' },
    ],
    scores,
    failed: 0,
    completedAt,
  },
})
const rowsAfter = (...events: GeneratorEvent[]) => [
  ...applyEvents(matchScores, history(streamName('generator', name), ...events)).values(),
]

test('each pair of a batch has a row with the versions that it was computed from', () => {
  expect(rowsAfter(batchOf(1, [scoreOf(0, 80), scoreOf(1, 45)]))).toEqual([
    {
      jobId,
      talentId: talentOne,
      companyId,
      score: 80,
      parts: { skills: 80, experience: 100, location: 20, language: 100, seniority: 60 },
      adjustment: null,
      explanation: 'About 80.',
      jobVersion: 'v1',
      talentVersion: 't1',
      computedAt: AT,
    },
    expect.objectContaining({ talentId: talentTwo, score: 45, adjustment: -2, talentVersion: 't2' }),
  ])
})

test('a pair that is scored again has the newest score', () => {
  const rows = rowsAfter(batchOf(1, [scoreOf(0, 80), scoreOf(1, 45)]), batchOf(2, [scoreOf(0, 30)], 'v2', LATER))
  expect(rows).toMatchObject([
    { talentId: talentOne, score: 30, jobVersion: 'v2', computedAt: LATER },
    { talentId: talentTwo, score: 45, jobVersion: 'v1', computedAt: AT },
  ])
})

test('only completed batches have scores', () => {
  expect(
    rowsAfter(
      { type: 'GeneratorStarted', data: { name, lastBatch: 0, startedAt: AT } },
      { type: 'BatchStarted', data: { name, batch: 1, pairs: 2, startedAt: AT } },
      { type: 'GeneratorStopped', data: { name, lastBatch: 1, stoppedAt: AT } },
    ),
  ).toEqual([])
})

test('a score for a job or talent that its batch does not list is an error', () => {
  expect(() => rowsAfter(batchOf(1, [scoreOf(7, 80)]))).toThrow(/does not list/)
})
