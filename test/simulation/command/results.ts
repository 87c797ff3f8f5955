import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keepResults } from '../../../bench/benchCommand.ts'
import type { machine } from '../../../bench/figure.ts'
import type { WorldName } from '../world.ts'
import { hashOfSimulatedCode } from './simulatedCode.ts'
import { addUp, missedCounters, rateOf, type WorldSummary } from './summary.ts'

const FILE = 'simulation.json'
const PATH = join(import.meta.dirname, '..', '..', '..', 'docs', 'results', FILE)
/** A world counts as proven by so many seeds. */
export const FULL_SEEDS: Readonly<Record<WorldName, number>> = { A: 10_000, B: 2_000, C: 500 }

type Machine = ReturnType<typeof machine>
/** What docs/results has of a world. */
export type KeptSummary = Omit<WorldSummary, 'failed' | 'differences'> & {
  /** The code that was simulated. */
  readonly code: string
  readonly measuredAt: string
  readonly machine: Machine
  readonly failed: readonly number[]
  readonly differences: number
}
type Results = { readonly worlds: Readonly<Partial<Record<WorldName, KeptSummary>>> }

async function readResults(): Promise<Results> {
  return readFile(PATH, 'utf8').then(
    (text) => JSON.parse(text) as Results,
    () => ({ worlds: {} }),
  )
}

/** What is written of this world, if the code is still the same. */
export async function keptOf(world: WorldName): Promise<KeptSummary | null> {
  const kept = (await readResults()).worlds[world]
  return kept?.code === hashOfSimulatedCode(world) ? kept : null
}

/** Writes what a world did besides what is written of it. */
export async function keepSummary(
  before: KeptSummary | null,
  summary: WorldSummary,
  host: Machine,
): Promise<KeptSummary> {
  const kept = addedTo(before, summary, { code: hashOfSimulatedCode(summary.world), host })
  const all = Object.entries({ ...(await readResults()).worlds, [kept.world]: kept })
  const worlds = Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  await keepResults(FILE, `${JSON.stringify({ worlds }, null, 2)}\n`)
  return kept
}

export function addedTo(
  before: KeptSummary | null,
  { failed, differences, ...summary }: WorldSummary,
  { code, host }: { readonly code: string; readonly host: Machine },
): KeptSummary {
  const begun = { code, measuredAt: new Date().toISOString(), machine: host }
  const now = { ...begun, ...summary, failed: failed.map(({ seed }) => seed), differences: differences.length }
  if (before === null) return now
  const numbers = [
    'seeds',
    'calls',
    'events',
    'steps',
    'simulatedSeconds',
    'kills',
    'seconds',
    'replayed',
    'differences',
  ] as const
  const sums = Object.fromEntries(numbers.map((name) => [name, before[name] + now[name]])) as Pick<
    KeptSummary,
    (typeof numbers)[number]
  >
  return {
    ...now,
    ...sums,
    from: before.from,
    failed: [...before.failed, ...now.failed],
    faults: addUp([before.faults, now.faults]),
    counters: addUp([before.counters, now.counters]),
    zeroCounters: before.zeroCounters.filter((name) => now.zeroCounters.includes(name)),
    seedsPerSecond: rateOf(sums.seeds, sums.seconds),
  }
}

/** Seeds that passed, and seeds, replays and counters that failed. */
export function verdictOfKept(kept: KeptSummary): { passed: number; failed: number } {
  const failed = kept.failed.length + kept.differences + missedCounters(kept).length
  return { passed: kept.seeds - kept.failed.length, failed }
}
