import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keepResults } from '../../../bench/benchCommand.ts'
import type { machine } from '../../../bench/figure.ts'
import type { WorldName } from '../world.ts'
import type { WorldSummary } from './summary.ts'

const FILE = 'simulation.json'
/** A run of fewer seeds of a world does not replace what is written. */
export const FULL_SEEDS: Readonly<Record<WorldName, number>> = { A: 10_000, B: 2_000, C: 500 }

type Machine = ReturnType<typeof machine>
type Results = { readonly worlds: Readonly<Record<string, unknown>> }

/** Writes the worlds that were run in full to docs/results, and leaves the others as they are. */
export async function keepSummaries(summaries: readonly WorldSummary[], machine: Machine): Promise<void> {
  const full = summaries.filter(({ world, seeds }) => seeds >= FULL_SEEDS[world])
  if (full.length === 0) return
  const file = join(import.meta.dirname, '..', '..', '..', 'docs', 'results', FILE)
  const before = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Results,
    () => ({ worlds: {} }),
  )
  const measuredAt = new Date().toISOString()
  const worlds = Object.fromEntries(
    full.map((summary) => [summary.world, { measuredAt, machine, ...figuresOf(summary) }]),
  )
  const sorted = Object.entries({ ...before.worlds, ...worlds }).toSorted(([a], [b]) => (a < b ? -1 : 1))
  await keepResults(FILE, `${JSON.stringify({ worlds: Object.fromEntries(sorted) }, null, 2)}\n`)
}

function figuresOf({ failed, differences, ...figures }: WorldSummary) {
  return { ...figures, failed: failed.map(({ seed }) => seed), differences: differences.length }
}
