import { expect, test } from 'vitest'
import type { Outcome } from '../simulate.ts'
import { failureText, reportText } from './report.ts'
import { differencesOf, summaryOf, verdictOf } from './summary.ts'

const outcomeOf = (seed: number, more: Partial<Outcome> = {}): Outcome => ({
  ...{ seed, hash: `hash-${seed}`, steps: 10, simulatedMs: 90_000, kills: 2, failure: null },
  faults: { 'process is killed': 2 },
  counters: { events: 5, calls: 3, 'a lease is taken over': 1 },
  ...more,
})
const failure = { invariant: 'charged once', detail: 'twice', lastSteps: ['1.000 a step', '2.000 another'] }
const summary = (outcomes: readonly Outcome[], requiredCounters: readonly string[] = []) =>
  summaryOf({ world: 'B', outcomes, requiredCounters, realMs: 4_000 })

test('a failure shows the last steps, the invariant and the command that replays it', () => {
  expect(failureText('B', outcomeOf(17, { failure }), true)).toBe(
    [
      '  1.000 a step',
      '  2.000 another',
      'FAIL world B, seed 17: charged once: twice',
      '  npm run simulate -- --world B --seed 17 --trace\n',
    ].join('\n'),
  )
  expect(failureText('B', outcomeOf(17, { failure }), false)).toMatch(/^FAIL world B/)
})

test('a summary adds up the seeds', () => {
  expect(summary([outcomeOf(3), outcomeOf(4, { failure })])).toMatchObject({
    ...{ from: 3, seeds: 2, calls: 6, events: 10, steps: 20, simulatedSeconds: 180, kills: 4, seedsPerSecond: 0.5 },
    faults: { 'process is killed': 4 },
    counters: { 'a lease is taken over': 2 },
    failed: [{ seed: 4 }],
  })
})

test('the hash of a run follows from the hashes of its seeds', () => {
  expect(summary([outcomeOf(3)]).hash).toBe('hash-3')
  const both = summary([outcomeOf(3), outcomeOf(4)]).hash
  expect(both).toMatch(/^[0-9a-f]{32}$/)
  expect(summary([outcomeOf(3), outcomeOf(4, { hash: 'other' })]).hash).not.toBe(both)
})

test('the last line counts the seeds', () => {
  const text = reportText([summary([outcomeOf(3), outcomeOf(4, { failure })]), summary([outcomeOf(1)])])
  expect(text.split('\n').at(-2)).toBe('2 passed, 1 failed')
})

test('a required counter at zero fails from 500 seeds on', () => {
  const few = summary([outcomeOf(1)], ['a lease is taken over', 'a duplicate is suppressed'])
  expect(reportText([few])).toContain('not yet: a duplicate is suppressed')
  expect(verdictOf([few])).toEqual({ passed: 1, failed: 0 })
  const seeds = Array.from({ length: 500 }, (_, at) => outcomeOf(at + 1))
  const many = summary(seeds, ['a lease is taken over', 'a duplicate is suppressed'])
  expect(reportText([many])).toContain('FAIL world B: "a duplicate is suppressed" never happened in 500 seeds')
  expect(verdictOf([many])).toEqual({ passed: 500, failed: 1 })
})

test('a replay with another hash fails', () => {
  const differences = differencesOf([outcomeOf(1), outcomeOf(2)], [outcomeOf(1), outcomeOf(2, { hash: 'other' })])
  expect(differences).toEqual([{ seed: 2, first: 'hash-2', again: 'other' }])
  const replayed = { ...summary([outcomeOf(1), outcomeOf(2)]), replayed: 2, differences }
  expect(reportText([replayed])).toContain('FAIL world B, seed 2: a second run differs: hash-2, then other')
  expect(verdictOf([replayed])).toEqual({ passed: 2, failed: 1 })
})
