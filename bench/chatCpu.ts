import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand, WrongUsage } from '../scripts/cli/command.ts'
import { demoFilePath } from '../scripts/start/demoFile.ts'
import { type BenchFolder, withBenchFolder } from './feed/benchFolder.ts'
import { atMost, type Figure, figureTable, machine, pairedFigure } from './figure.ts'
import { freePorts } from './freePorts.ts'
import { startHelper } from './gateway/benchProcess.ts'
import { installationSettings } from './gateway/installation.ts'
import {
  type CallCpu,
  CONNECTIONS,
  measureCallCpu,
  openRunning,
  PARTS,
  type RunningInstallation,
} from './growth/callCpu.ts'
import { startInstallation } from './start/firstStart.ts'
import { readCpuTicks, warnOfStolen } from './stolenTime.ts'

const ROUNDS_DEFAULT = 20
const CALLS_PER_ROUND = 3_000
/** Enough calls for the engine to have compiled what it runs. */
const WARM_UP_CALLS = 20_000
const RATIO_MAX_DEFAULT = 1.05
const HERE = join(import.meta.dirname, '..')
const RESULTS = join(HERE, 'docs', 'results')
/** Engines and a database that the person running the benchmark may have configured. */
const NO_OTHER_ENGINES = { EVENTSTORE_URL: '', KAFKA_BROKERS: '', REDIS_URL: '', DATABASE_URL: '' }

const help = `npm run bench:chat-cpu -- <folder of the other checkout> [--rounds ${ROUNDS_DEFAULT}] [--ratio-max ${RATIO_MAX_DEFAULT}] [--json]

Measures the CPU time that a chat call takes of all processes of an installation, until it is projected and sealed, in
this checkout and in another one, for example of the parent commit. Both run at the same time by \`npm start\`, each with
its own embedded PostgreSQL and the same instant upstream, and get the same number of calls in alternating rounds.
The other checkout needs its node_modules.
Exits 1 when the median ratio is above ${RATIO_MAX_DEFAULT}. With at least ${ROUNDS_DEFAULT} rounds the figures are written to
docs/results/chat-cpu.json.
`

await runCommand({
  help,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean' }, rounds: { type: 'string' }, 'ratio-max': { type: 'string' } },
    })
    const rounds = Number(values.rounds ?? ROUNDS_DEFAULT)
    if (!Number.isSafeInteger(rounds) || rounds < 1) throw new WrongUsage('--rounds must be a positive number')
    const ratioMax = Number(values['ratio-max'] ?? RATIO_MAX_DEFAULT)
    if (!(ratioMax > 0)) throw new WrongUsage('--ratio-max must be a positive number')
    const [other] = positionals
    if (other === undefined) throw new WrongUsage('name the folder of the other checkout')
    const begin = readCpuTicks()
    const { ours, theirs } = await compare(resolve(other), rounds)
    const all = atMost(figureOf('CPU time of a chat call', total, ours, theirs), ratioMax)
    const parts = PARTS.map((part) => figureOf(`  of it ${part}`, (costs) => costs[part] ?? 0, ours, theirs))
    const figures = [all, ...parts]
    const about = { measuredAt: new Date().toISOString(), machine: machine(begin) }
    warnOfStolen('bench:chat-cpu', about.machine.stolen)
    const facts = { rounds, callsPerRound: CALLS_PER_ROUND, connections: CONNECTIONS }
    const ratios = ours.map((costs, round) => rounded(total(costs) / total(theirs[round] ?? {})))
    const document = `${JSON.stringify({ ...about, ...facts, figures, ratios }, null, 2)}\n`
    process.stdout.write(values.json ? document : figureTable(figures))
    if (rounds >= ROUNDS_DEFAULT) await writeFile(join(RESULTS, 'chat-cpu.json'), document)
    return all.met ? 0 : 1
  },
})

type Name = 'ours' | 'theirs'
type Figures = Record<Name, CallCpu[]>

/**
 * The CPU time of calls in this checkout and the other one, round by round. Half of the rounds start ours first and
 * half theirs: of two installations of the same code, the one started first was seen to use more.
 */
async function compare(other: string, rounds: number): Promise<Figures> {
  const figures: Figures = { ours: [], theirs: [] }
  const half = Math.ceil(rounds / 2)
  await measureRounds(['ours', 'theirs'], other, half, figures)
  await measureRounds(['theirs', 'ours'], other, rounds - half, figures)
  return figures
}

async function measureRounds(startOrder: readonly Name[], other: string, rounds: number, figures: Figures) {
  if (rounds === 0) return
  await withBenchFolder(async (folder) => {
    const [port] = await freePorts(1)
    await startHelper(folder, 'chatUpstream.ts', String(port))
    const load = await startHelper(folder, 'countedLoad.ts')
    const installations = new Map<Name, RunningInstallation>()
    for (const name of startOrder) {
      const checkout = name === 'ours' ? HERE : other
      installations.set(name, await start(folder, checkout, name, `http://127.0.0.1:${port}`))
    }
    const measure = (name: Name, calls: number) =>
      measureCallCpu(load, installations.get(name) as RunningInstallation, calls)
    for (const name of startOrder) await measure(name, WARM_UP_CALLS)
    for (let round = 0; round < rounds; round++) {
      // Each goes first in every other round, so that neither benefits from the order.
      for (const name of round % 2 === 0 ? startOrder : startOrder.toReversed()) {
        figures[name].push(await measure(name, CALLS_PER_ROUND))
      }
      const micros = (name: Name) => total(figures[name].at(-1) ?? {}).toFixed(1)
      process.stderr.write(`round ${figures.ours.length}: ${micros('ours')} / ${micros('theirs')} µs\n`)
    }
  })
}

/** With the checkout's own `npm start`, so that each installation is migrated and filled by the code that runs on it. */
async function start(
  folder: BenchFolder,
  checkout: string,
  name: string,
  upstream: string,
): Promise<RunningInstallation> {
  if (!existsSync(join(checkout, 'scripts', 'start.ts')))
    throw new WrongUsage(`${checkout} is not a checkout of this project`)
  const path = join(folder.path, name)
  await mkdir(path)
  const settings = await installationSettings({ ...folder, path }, name, upstream)
  const { pid, stop } = await startInstallation(checkout, { ...NO_OTHER_ENGINES, ...settings })
  folder.closers.push(stop)
  const demo = JSON.parse(await readFile(demoFilePath(settings.DATA_DIR), 'utf8')) as Record<string, string>
  const chat = { url: `${demo.gatewayUrl}/chat/completions`, apiKey: demo.apiKey ?? '' }
  const running = await openRunning(settings.DATA_DIR, pid, chat)
  folder.closers.push(running.database.close)
  return running
}

function figureOf(
  name: string,
  micros: (costs: CallCpu) => number,
  ours: readonly CallCpu[],
  theirs: readonly CallCpu[],
): Figure {
  return pairedFigure(name, 'µs', ours.map(micros), theirs.map(micros))
}

function total(costs: CallCpu): number {
  return Object.values(costs).reduce((sum, micros) => sum + micros, 0)
}

function rounded(ratio: number): number {
  return Math.round(ratio * 1_000) / 1_000
}
