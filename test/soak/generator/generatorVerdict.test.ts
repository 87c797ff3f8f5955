import { expect, test } from 'vitest'
import type { GeneratorEvent } from '../../../contracts/events/generator.ts'
import { judgeOrder, judgePairs, scoresAfter } from './generatorVerdict.ts'

const name = 'match-scores'
const at = '2026-03-01T10:00:00.000Z'
const parts = { skills: 1, experience: 1, location: 1, language: 1, seniority: 1 }
const started: GeneratorEvent = { type: 'GeneratorStarted', data: { name, lastBatch: 0, startedAt: at } }
const stopped: GeneratorEvent = { type: 'GeneratorStopped', data: { name, lastBatch: 0, stoppedAt: at } }
const begun = (batch: number): GeneratorEvent => ({
  type: 'BatchStarted',
  data: { name, batch, pairs: 1, startedAt: at },
})
const done = (batch: number, ...pairs: [string, string][]): GeneratorEvent => ({
  type: 'BatchCompleted',
  data: {
    name,
    batch,
    jobs: pairs.map(([jobId]) => ({ jobId, companyId: 'c', version: 'v' })),
    talents: pairs.map(([, talentId]) => ({ talentId, version: 'v' })),
    scores: pairs.map((_, n) => ({ job: n, talent: n, score: 1, parts, adjustment: null, explanation: '' })),
    failed: 0,
    completedAt: at,
  },
})

test('the verdict finds a pair that is missing, repeated or unknown', () => {
  const books = { jobs: ['j'], talents: ['a', 'b'] }
  expect(judgePairs({ ...books, events: [done(1, ['j', 'a'], ['j', 'b'])] }).passed).toBe(true)
  expect(judgePairs({ ...books, events: [done(1, ['j', 'a'])] }).detail).toMatch(/j b is on record 0 times/)
  const twice = [done(1, ['j', 'a'], ['j', 'b']), done(2, ['j', 'a'])]
  expect(judgePairs({ ...books, events: twice }).detail).toMatch(/j a is on record 2 times/)
  const strange = [done(1, ['j', 'a'], ['j', 'b'], ['j', 'z'])]
  expect(judgePairs({ ...books, events: strange }).passed).toBe(false)
})

test('the verdict finds a batch after a stop, out of order or completed twice', () => {
  expect(judgeOrder([started, begun(1), stopped, done(1), started, begun(2), begun(3), done(3)]).passed).toBe(true)
  expect(judgeOrder([started, stopped, begun(1)]).passed).toBe(false)
  expect(judgeOrder([started, begun(2)]).passed).toBe(false)
  expect(judgeOrder([started, begun(1), done(1), done(1)]).passed).toBe(false)
  expect(judgeOrder([started, begun(1), begun(2), done(1)]).passed).toBe(false)
})

test('the verdict counts scores from a given batch on', () => {
  const events = [done(1, ['j', 'a']), done(2, ['j', 'b'], ['j', 'c'])]
  expect(scoresAfter(events, 0)).toBe(3)
  expect(scoresAfter(events, 1)).toBe(2)
})
