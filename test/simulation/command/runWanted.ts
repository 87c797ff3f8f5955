import { type Progress, progressBar } from '../../../scripts/cli/progressBar.ts'
import type { Outcome } from '../simulate.ts'
import type { WorldName } from '../world.ts'
import type { Wanted } from './arguments.ts'
import { readKeptSeeds } from './keptSeeds.ts'
import { runWorld, type WorldRun } from './runWorld.ts'
import { SeedQueue, seedsFrom } from './seedQueue.ts'
import { differencesOf, summaryOf, type WorldSummary } from './summary.ts'

export type OnOutcome = (world: WorldName, outcome: Outcome) => void

/** Runs the worlds one after the other, each on all processes. */
export async function runWanted(wanted: Wanted, workers: number, onOutcome: OnOutcome): Promise<WorldSummary[]> {
  const summaries: WorldSummary[] = []
  for (const world of wanted.worlds) summaries.push(await runOne(world, wanted, workers, onOutcome))
  return summaries
}

/** `hashBefore` is the hash of the seeds that an earlier run has run. */
export async function runOne(
  world: WorldName,
  wanted: Wanted,
  workers: number,
  onOutcome: OnOutcome,
  hashBefore: string | null = null,
): Promise<WorldSummary> {
  const tell = (outcome: Outcome) => onOutcome(world, outcome)
  const kept = wanted.kept ? await runKept(world, workers, tell) : []
  const run = await runRange(world, wanted, workers, tell)
  const summary = summaryOf({ ...run, outcomes: [...run.outcomes, ...kept] }, hashBefore)
  const replayed = Math.min(wanted.replays, run.outcomes.length)
  if (replayed === 0) return summary
  const again = await replay(world, wanted.from, replayed, workers)
  return { ...summary, replayed, differences: differencesOf(run.outcomes, again) }
}

async function runRange(
  world: WorldName,
  { from, seeds, ms, worlds, isTraced, untilFailure }: Wanted,
  workers: number,
  tell: (outcome: Outcome) => void,
): Promise<WorldRun> {
  const count = seeds ?? Number.MAX_SAFE_INTEGER
  const begunMs = performance.now()
  const untilMs = ms === null ? Number.POSITIVE_INFINITY : begunMs + ms / worlds.length
  const queue = new SeedQueue(seedsFrom(from, count), { untilMs, stopsAtFailure: untilFailure })
  const bar = isTraced ? null : barOf(world, seeds, ms === null ? 0 : ms / worlds.length)
  let done = 0
  const onOutcome = (outcome: Outcome) => {
    done += 1
    bar?.update(seeds === null ? (performance.now() - begunMs) / 1_000 : done)
    tell(outcome)
  }
  try {
    return await runWorld(world, queue, { workers: Math.min(workers, count), isTraced, onOutcome })
  } finally {
    bar?.end()
  }
}

const barOf = (world: WorldName, seeds: number | null, ms: number): Progress =>
  seeds === null
    ? progressBar(`world ${world}`, Math.ceil(ms / 1_000), 'seconds')
    : progressBar(`world ${world}`, seeds, 'seeds')

async function runKept(
  world: WorldName,
  workers: number,
  onOutcome: (outcome: Outcome) => void,
): Promise<readonly Outcome[]> {
  const seeds = readKeptSeeds().flatMap((kept) => (kept.world === world ? kept.seed : []))
  if (seeds.length === 0) return []
  const options = { workers: Math.min(workers, seeds.length), onOutcome }
  return (await runWorld(world, new SeedQueue(seeds), options)).outcomes
}

/** Each seed in a process of its own, so that none follows from what ran before it. */
async function replay(world: WorldName, from: number, count: number, workers: number): Promise<readonly Outcome[]> {
  const queue = new SeedQueue(seedsFrom(from, count))
  const bar = progressBar(`world ${world} again`, count, 'seeds')
  let done = 0
  const onOutcome = () => {
    done += 1
    bar.update(done)
  }
  const { outcomes } = await runWorld(world, queue, { workers: Math.min(workers, count), isFresh: true, onOutcome })
  bar.end()
  return outcomes
}
