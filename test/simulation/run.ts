import { availableParallelism } from 'node:os'
import { machine } from '../../bench/figure.ts'
import { readCpuTicks, warnOfStolen } from '../../bench/stolenTime.ts'
import { runCommand } from '../../scripts/cli/command.ts'
import { PLANTED_SEEDS, SEEDS, wantedOf } from './command/arguments.ts'
import { FAILURES_WITH_STEPS, failureText, reportText } from './command/report.ts'
import { FULL_SEEDS } from './command/results.ts'
import { fullReport, fullVerdict, runFull } from './command/runFull.ts'
import { runWanted } from './command/runWanted.ts'
import { SEEDS_FOR_COUNTERS, verdictOf } from './command/summary.ts'
import type { Outcome } from './simulate.ts'
import type { WorldName } from './world.ts'
import { WORLD_NAMES } from './worldNames.ts'

const FULL_RUNS = Object.entries(FULL_SEEDS)
  .map(([world, seeds]) => `${seeds} seeds of ${world}`)
  .join(', ')

const HELP = `npm run simulate -- [--world A|B|C] [--seeds <n>] [--from <seed>] [--minutes <n>] [--until-failure] [--kept] [--replay <n>] [--workers <n>] [--json]
npm run simulate -- --world <world> --seed <seed> [--trace]
npm run simulate -- --full [--world A|B|C] [--replay <n>] [--workers <n>] [--json]
npm run simulate -- --planted [<name>…]

Runs the services of an installation in one process, where a seed decides every order, delay and fault, and checks what
must hold. The worlds here: ${WORLD_NAMES.join(', ')}. See test/simulation/README.md.

  --world          one world instead of all; can be repeated
  --seeds          seeds of each world, ${SEEDS} by default
  --from           the first seed, 1 by default
  --minutes        how long, instead of --seeds; shared equally by the worlds
  --seed           runs one seed
  --trace          prints every step of that seed
  --until-failure  ends with the first seed that fails
  --kept           also runs the kept seeds, each of which once found a fault (keptSeeds.json)
  --full           runs ${FULL_RUNS}, and writes what they did to
                   docs/results/simulation.json after each tenth. If it is ended, the next --full goes on where it was, as
                   long as the code is the same
  --replay         runs the first seeds again, each in a process of its own, and compares the hashes of all steps
  --workers        processes, instead of one for each core
  --json           prints the report as one JSON document
  --planted        finds planted bugs: applies a patch of test/simulation/planted to a copy of the tree and runs its world
                   until it fails, at most ${PLANTED_SEEDS} seeds from each of three starting seeds; writes the table of
                   test/simulation/planted/README.md, but no bug that fewer --seeds did not find

A failing seed prints the steps before the failure, the invariant, and the command that replays it. The last line is
"N passed, N failed". Exits with 1 if a seed failed, if a replay differed, or if something that must happen now and then
did not happen in ${SEEDS_FOR_COUNTERS} seeds or more.
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const wanted = wantedOf(args, WORLD_NAMES)
    const workers = wanted.workers ?? availableParallelism()
    if (wanted.planted !== null) {
      const { findPlanted } = await import('./planted/findPlanted.ts')
      return findPlanted({ names: wanted.planted, seeds: wanted.seeds ?? 1, workers })
    }
    const ticks = readCpuTicks()
    let printed = 0
    const print = (world: WorldName, outcome: Outcome) => {
      if (wanted.isJson || !outcome.failure) return
      process.stdout.write(failureText(world, outcome, !wanted.isTraced && printed < FAILURES_WITH_STEPS))
      printed += 1
    }
    if (wanted.isFull) {
      const kept = await runFull(wanted, workers, print)
      process.stdout.write(wanted.isJson ? `${JSON.stringify({ worlds: kept }, null, 2)}\n` : fullReport(kept))
      return fullVerdict(kept).failed === 0 ? 0 : 1
    }
    // Until all workers have ended, it is not known which failure is the first.
    const summaries = await runWanted(wanted, workers, wanted.untilFailure ? () => {} : print)
    if (wanted.untilFailure) for (const { world, failed } of summaries) for (const each of failed) print(world, each)
    const host = machine(ticks)
    warnOfStolen('simulate', host.stolen)
    if (wanted.isJson) process.stdout.write(`${JSON.stringify({ machine: host, worlds: summaries }, null, 2)}\n`)
    else process.stdout.write(reportText(summaries))
    return verdictOf(summaries).failed === 0 ? 0 : 1
  },
})
