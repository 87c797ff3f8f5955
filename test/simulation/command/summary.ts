import { createHash } from 'node:crypto'
import type { Outcome } from '../simulate.ts'
import type { WorldName } from '../world.ts'
import type { WorldRun } from './runWorld.ts'

/** After so many seeds a required counter at zero means that the world no longer reaches what it is there for. */
export const SEEDS_FOR_COUNTERS = 500
/** Counters that every world has, and that have a place of their own in the summary. */
const CALLS = 'calls'
const EVENTS = 'events'

export type Counts = Readonly<Record<string, number>>

/** A seed that was run twice, and differed. */
export type Difference = { readonly seed: number; readonly first: string; readonly again: string }

export type WorldSummary = {
  readonly world: WorldName
  readonly from: number
  readonly seeds: number
  readonly failed: readonly Outcome[]
  /** The hash of a single seed, or of the hashes of all. Two runs of the same seeds and code have the same. */
  readonly hash: string
  readonly calls: number
  readonly events: number
  readonly steps: number
  readonly simulatedSeconds: number
  readonly kills: number
  readonly faults: Counts
  readonly counters: Counts
  /** Required counters that stayed at zero. */
  readonly zeroCounters: readonly string[]
  readonly seconds: number
  readonly seedsPerSecond: number
  readonly replayed: number
  readonly differences: readonly Difference[]
}

/** `hashBefore` is the hash of the seeds that an earlier run has run. */
export function summaryOf(
  { world, outcomes, requiredCounters, realMs }: WorldRun,
  hashBefore: string | null = null,
): WorldSummary {
  const { [CALLS]: calls = 0, [EVENTS]: events = 0, ...counters } = addUp(outcomes.map((outcome) => outcome.counters))
  return {
    world,
    from: outcomes[0]?.seed ?? 0,
    seeds: outcomes.length,
    failed: outcomes.filter(({ failure }) => failure !== null),
    hash: hashOf(outcomes, hashBefore),
    ...{ calls, events },
    steps: sum(outcomes.map(({ steps }) => steps)),
    simulatedSeconds: Math.round(sum(outcomes.map(({ simulatedMs }) => simulatedMs)) / 1_000),
    kills: sum(outcomes.map(({ kills }) => kills)),
    faults: addUp(outcomes.map(({ faults }) => faults)),
    counters,
    zeroCounters: requiredCounters.filter((name) => !counters[name]),
    seconds: Math.round(realMs / 1_000),
    seedsPerSecond: rateOf(outcomes.length, realMs / 1_000),
    replayed: 0,
    differences: [],
  }
}

/** The seeds of the second run whose hash is not that of the first. */
export function differencesOf(first: readonly Outcome[], again: readonly Outcome[]): Difference[] {
  const hashes = new Map(first.map(({ seed, hash }) => [seed, hash]))
  return again.flatMap(({ seed, hash }) => {
    const before = hashes.get(seed) ?? 'not run'
    return before === hash ? [] : [{ seed, first: before, again: hash }]
  })
}

/** Required counters at zero, if there were enough seeds to say so. */
export function missedCounters({
  seeds,
  zeroCounters,
}: Pick<WorldSummary, 'seeds' | 'zeroCounters'>): readonly string[] {
  return seeds >= SEEDS_FOR_COUNTERS ? zeroCounters : []
}

/** Seeds that passed, and seeds, replays and counters that failed. */
export function verdictOf(summaries: readonly WorldSummary[]): { passed: number; failed: number } {
  const failed = summaries.map((each) => each.failed.length + each.differences.length + missedCounters(each).length)
  const passed = summaries.map((each) => each.seeds - each.failed.length)
  return { passed: sum(passed), failed: sum(failed) }
}

/** Goes on after the hash of earlier seeds, so that it does not matter in how many runs they were run. */
function hashOf(outcomes: readonly Outcome[], before: string | null): string {
  return outcomes.reduce(
    (all, { hash }) => (all === '' ? hash : createHash('sha256').update(`${all},${hash}`).digest('hex').slice(0, 32)),
    before ?? '',
  )
}

export const rateOf = (seeds: number, seconds: number): number => Number((seeds / seconds).toPrecision(3))

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** The sum of each count. */
export function addUp(counts: readonly Readonly<Record<string, number | undefined>>[]): Record<string, number> {
  const all = new Map<string, number>()
  for (const each of counts) {
    for (const [name, count] of Object.entries(each)) all.set(name, (all.get(name) ?? 0) + (count ?? 0))
  }
  return Object.fromEntries([...all].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
