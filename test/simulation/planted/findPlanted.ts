import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { median } from '../../../bench/figure.ts'
import { WrongUsage } from '../../../scripts/cli/command.ts'
import { PLANTED_SEEDS } from '../command/arguments.ts'
import type { WorldSummary } from '../command/summary.ts'
import type { Outcome } from '../simulate.ts'
import type { WorldName } from '../world.ts'
import { WORLD_NAMES } from '../worldNames.ts'
import { type Planted, readPlanted } from './planted.ts'
import { type Found, type Search, tableOf, writtenInto } from './plantedTable.ts'
import { copyTree } from './plantedTree.ts'

/** Where the runs of one patch begin: far apart, so that none repeats another's seeds. */
const STARTS = [1, 10_001, 20_001]
const README = join(import.meta.dirname, 'README.md')

export type FindOptions = {
  /** All if empty. */
  readonly names: readonly string[]
  /** At most so many from each starting seed. */
  readonly seeds: number
  readonly workers: number
}

/** Looks for each planted bug in a patched copy of the tree, and prints after how many seeds it was found. */
export async function findPlanted({ names, seeds, workers }: FindOptions): Promise<number> {
  const all = readPlanted()
  const unknown = names.find((name) => all.every((planted) => planted.name !== name))
  if (unknown !== undefined) {
    throw new WrongUsage(`there is no patch ${unknown}; they are: ${all.map(({ name }) => name).join(', ')}`)
  }
  using plain = copyTree()
  const passes = passesIn(plain.root)
  const searches: Search[] = []
  for (const planted of all.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const search = await searched(planted, { passes, seeds, workers })
    process.stderr.write(`${planted.name}: ${describe(search)}\n${details(search)}`)
    searches.push(search)
    // A search that was shortened says nothing about a bug that it did not find.
    if (seeds >= PLANTED_SEEDS || !isMissed(search)) await writeFile(README, await writtenInto(README, [search]))
  }
  process.stdout.write(tableOf(searches))
  const failed = searches.filter(isMissed)
  for (const search of failed) process.stdout.write(`FAIL ${search.planted.name}: ${describe(search)}\n`)
  process.stdout.write(`${searches.length - failed.length} passed, ${failed.length} failed\n`)
  return failed.length === 0 ? 0 : 1
}

const isMissed = ({ found }: Search): boolean => found.length === 0 || found.some(({ seeds }) => seeds === null)

function describe({ planted, found }: Search): string {
  if (found.length === 0) return `world ${planted.world} does not exist`
  const missed = found.filter(({ seeds }) => seeds === null)
  if (missed.length > 0) return `not found in ${missed.length} of ${found.length} runs`
  return `found after ${found.map(({ seeds }) => seeds).join(', ')} seeds, the median is ${median(found.map(({ seeds }) => seeds ?? 0))}`
}

/** Whether a run failed because of the bug is for a reader to judge. */
function details({ found }: Search): string {
  return found.map(({ invariant, detail }) => (detail ? `  ${invariant}: ${detail.split('\n', 1)[0]}\n` : '')).join('')
}

type SearchOptions = { readonly passes: Passes; readonly seeds: number; readonly workers: number }

/** Whether a seed passes without any patch. Several patches ask about the same seeds. */
type Passes = (world: WorldName, seed: number) => Promise<boolean>

function passesIn(root: string): Passes {
  const known = new Map<string, Promise<boolean>>()
  return (world, seed) => {
    const name = `${world} ${seed}`
    const passes =
      known.get(name) ?? firstFailure(root, world, { from: seed, seeds: 1, workers: 1 }).then((found) => found === null)
    known.set(name, passes)
    return passes
  }
}

async function searched(planted: Planted, options: SearchOptions): Promise<Search> {
  if (!WORLD_NAMES.includes(planted.world)) return { planted, found: [] }
  using copy = copyTree(planted.file)
  const found: Found[] = []
  for (const from of STARTS) found.push(await runUntilFailure(copy.root, planted, from, options))
  return { planted, found }
}

type RunFrom = { readonly from: number; readonly seeds: number; readonly workers: number }

/** A seed shows the bug if it fails with the patch and passes without it. */
async function runUntilFailure(
  root: string,
  { world }: Planted,
  first: number,
  { passes, seeds, workers }: SearchOptions,
): Promise<Found> {
  for (let from = first; from < first + seeds; ) {
    const failed = await firstFailure(root, world, { from, seeds: first + seeds - from, workers })
    if (!failed?.failure) break
    const { seed, failure } = failed
    if (await passes(world, seed))
      return { seeds: seed - first + 1, invariant: failure.invariant, detail: failure.detail }
    process.stderr.write(`seed ${seed} of world ${world} fails without the patch, too\n`)
    from = seed + 1
  }
  return { seeds: null, invariant: null }
}

async function firstFailure(
  root: string,
  world: WorldName,
  { from, seeds, workers }: RunFrom,
): Promise<Outcome | null> {
  const numbers = ['--seeds', seeds, '--from', from, '--workers', workers].map(String)
  const args = ['test/simulation/run.ts', '--world', world, '--until-failure', '--json', ...numbers]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const piece of child.stdout.setEncoding('utf8')) text += piece
  const [summary] = (JSON.parse(text) as { worlds: WorldSummary[] }).worlds
  return summary?.failed.find(({ failure }) => failure !== null) ?? null
}
