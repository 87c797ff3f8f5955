import { expect, test } from 'vitest'
import {
  mostUrgentFirst,
  paceWords,
  type ReadModel,
  stateOfGenerator,
  stateOfModel,
  stateOfModels,
} from './operationsWords.ts'

const MODEL: ReadModel = {
  ...{ name: 'usage', version: 2, currentVersion: 2, lagEvents: 0, lagSeconds: 0 },
  movedAt: '2026-01-01T00:00:00.000Z',
}
const FIGURES = {
  ...{ isProcessing: false, uptimeSeconds: 1, queuedPairs: 0, matches: 0, errors: 0, errorPercent: 0 },
  ...{ matchMs: 0, matchesPerMinute: 0, lastMatchAt: null, breaker: 'CLOSED' as const },
}

test.each([
  [{}, 'Up to date'],
  [{ lagEvents: 40, lagSeconds: 2 }, 'Busy'],
  [{ lagEvents: 1, lagSeconds: 11 }, 'Behind'],
  [{ currentVersion: 3 }, 'Rebuild it'],
  [{ version: null, lagEvents: null, lagSeconds: null }, 'Not built yet'],
])('a read model with %o is shown as: %s', (changes, name) => {
  expect(stateOfModel({ ...MODEL, ...changes }).name).toBe(name)
})

test('read models that need attention come first, the others follow by name', () => {
  const behind = { ...MODEL, name: 'trail', lagEvents: 9, lagSeconds: 99 }
  const old = { ...MODEL, name: 'users', currentVersion: 3 }
  const busy = { ...MODEL, name: 'calls', lagEvents: 9, lagSeconds: 1 }
  const models = [MODEL, behind, busy, old]
  expect(mostUrgentFirst(models).map(({ name }) => name)).toEqual(['users', 'trail', 'calls', 'usage'])
  expect(stateOfModels(models)).toEqual({ name: '2 of 4 need attention', tone: 'danger' })
  expect(stateOfModels([MODEL, busy])).toEqual({ name: 'All up to date', tone: 'good' })
})

test.each([
  [{ isStarted: true, figures: null }, 'Waiting for an AI service'],
  [{ isStarted: true, figures: FIGURES }, 'Started'],
  [{ isStarted: true, figures: { ...FIGURES, isProcessing: true } }, 'Scoring'],
  [{ isStarted: false, figures: { ...FIGURES, isProcessing: true } }, 'Stopping'],
  [{ isStarted: false, figures: FIGURES }, 'Stopped'],
  [{ isStarted: false, figures: null }, 'Stopped'],
])('a generator with %o is shown as: %s', (changes, name) => {
  expect(stateOfGenerator({ batch: 1, ...changes }).name).toBe(name)
})

test('the calls to expect of the generator follow from the pace of its last run, if it had one', () => {
  expect(paceWords({ ...FIGURES, matchesPerMinute: 20.5 })).toContain('at most 1,230 calls an hour')
  for (const figures of [FIGURES, null]) expect(paceWords(figures)).not.toContain('calls an hour')
})
