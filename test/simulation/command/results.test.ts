import { expect, test } from 'vitest'
import { machine } from '../../../bench/figure.ts'
import type { Outcome } from '../simulate.ts'
import { addedTo, verdictOfKept } from './results.ts'
import { summaryOf } from './summary.ts'

const outcomeOf = (seed: number, counters: Record<string, number> = {}): Outcome => ({
  ...{ seed, hash: `hash-${seed}`, steps: 10, simulatedMs: 90_000, kills: 2, failure: null },
  ...{ faults: { 'process is killed': 2 }, counters: { events: 5, ...counters } },
})
const REQUIRED = ['a lease is taken over', 'a month is closed', 'never']
const host = machine(null)
const run = (outcomes: readonly Outcome[], hashBefore: string | null = null) =>
  summaryOf({ world: 'B', outcomes, requiredCounters: REQUIRED, realMs: 4_000 }, hashBefore)

test('two parts add up to the same as one run of all seeds', () => {
  const all = [outcomeOf(1, { 'a lease is taken over': 1 }), outcomeOf(2), outcomeOf(3, { 'a month is closed': 2 })]
  const first = addedTo(null, run(all.slice(0, 2)), { code: 'c', host })
  const both = addedTo(first, run(all.slice(2), first.hash), { code: 'c', host })
  const { measuredAt: _, seconds, ...whole } = addedTo(null, run(all), { code: 'c', host })
  expect(both).toMatchObject({ ...whole, seconds: 2 * seconds, seedsPerSecond: both.seeds / both.seconds })
  expect(both).toMatchObject({ from: 1, seeds: 3, zeroCounters: ['never'] })
})

test('failed seeds of every part are kept', () => {
  const failure = { invariant: 'charged once', detail: 'twice', lastSteps: [] }
  const first = addedTo(null, run([{ ...outcomeOf(1), failure }]), { code: 'c', host })
  const both = addedTo(first, run([outcomeOf(2)], first.hash), { code: 'c', host })
  expect(both.failed).toEqual([1])
  expect(verdictOfKept(both)).toEqual({ passed: 1, failed: 1 })
})
