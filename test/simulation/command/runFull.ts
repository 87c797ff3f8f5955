import { machine } from '../../../bench/figure.ts'
import { readCpuTicks } from '../../../bench/stolenTime.ts'
import type { WorldName } from '../world.ts'
import type { Wanted } from './arguments.ts'
import { FULL_SEEDS, type KeptSummary, keepSummary, keptOf, verdictOfKept } from './results.ts'
import { type OnOutcome, runOne } from './runWanted.ts'
import { missedCounters } from './summary.ts'

/** After each of these parts the results are written, so that a run can be ended and gone on with at any time. */
const PARTS = 10
const FIRST_SEED = 1

/** Runs the seeds of a world that docs/results does not have yet of this code. */
export async function runFull(wanted: Wanted, workers: number, onOutcome: OnOutcome): Promise<KeptSummary[]> {
  const summaries: KeptSummary[] = []
  for (const world of wanted.worlds) summaries.push(await runToEnd(world, wanted, workers, onOutcome))
  return summaries
}

async function runToEnd(world: WorldName, wanted: Wanted, workers: number, onOutcome: OnOutcome): Promise<KeptSummary> {
  for (let kept = await keptOf(world); ; ) {
    const done = kept?.seeds ?? 0
    if (kept !== null && done >= FULL_SEEDS[world]) return kept
    const seeds = Math.min(Math.ceil(FULL_SEEDS[world] / PARTS), FULL_SEEDS[world] - done)
    const part = { ...wanted, from: FIRST_SEED + done, seeds, replays: done === 0 ? wanted.replays : 0 }
    const ticks = readCpuTicks()
    const summary = await runOne(world, part, workers, onOutcome, kept?.hash ?? null)
    kept = await keepSummary(kept, summary, machine(ticks))
  }
}

export function fullReport(summaries: readonly KeptSummary[]): string {
  const lines = summaries.flatMap((kept) => [
    `world ${kept.world}: ${kept.seeds} seeds from ${kept.from} (${kept.seedsPerSecond} a second), ${kept.replayed} run again, hash ${kept.hash}`,
    ...kept.failed.map((seed) => `FAIL world ${kept.world}, seed ${seed}`),
    ...missedCounters(kept).map((name) => `FAIL world ${kept.world}: "${name}" never happened`),
  ])
  const { passed, failed } = fullVerdict(summaries)
  return [...lines, `${passed} passed, ${failed} failed`, ''].join('\n')
}

export function fullVerdict(summaries: readonly KeptSummary[]): { passed: number; failed: number } {
  const verdicts = summaries.map(verdictOfKept)
  const sum = (of: 'passed' | 'failed') => verdicts.reduce((all, verdict) => all + verdict[of], 0)
  return { passed: sum('passed'), failed: sum('failed') }
}
