import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { runCommand, WrongUsage } from '../cli/command.ts'
import { type BenchFolder, withBenchFolder } from './feed/benchFolder.ts'
import { atMost, figureTable, machine, pairedFigure } from './figure.ts'
import { freePorts } from './freePorts.ts'
import { startHelper } from './gateway/benchProcess.ts'
import type { startTollgate as StartTollgate, Tollgate } from './gateway/tollgate.ts'
import type { CountedLoad, CountedResult } from './processes/countedLoad.ts'

const ROUNDS_DEFAULT = 20
const CALLS_PER_ROUND = 3_000
/** Enough calls for the engine to have compiled what it runs. */
const WARM_UP_CALLS = 20_000
const CONNECTIONS = 32
const RATIO_MAX = 1.05
const HERE = join(import.meta.dirname, '..', '..')
const RESULTS = join(HERE, 'docs', 'results')

const help = `npm run bench:chat-cpu -- <folder of the other checkout> [--rounds ${ROUNDS_DEFAULT}] [--json]

Measures the CPU time that the gateway process uses for a chat call, in this checkout and in another one, for example
of the parent commit. Both run at the same time, each with its own embedded Postgres and the same instant upstream, and
get the same number of calls in alternating rounds. The other checkout needs its node_modules.
Exits 1 when the median ratio is above ${RATIO_MAX}. The figures are written to docs/results/chat-cpu.json.
`

await runCommand({
  help,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean' }, rounds: { type: 'string' } },
    })
    const rounds = Number(values.rounds ?? ROUNDS_DEFAULT)
    if (!Number.isSafeInteger(rounds) || rounds < 1) throw new WrongUsage('--rounds must be a positive number')
    const [other] = positionals
    if (other === undefined) throw new WrongUsage('name the folder of the other checkout')
    const { ours, theirs } = await compare(resolve(other), rounds)
    const figure = atMost(pairedFigure('CPU time of a chat call', 'µs', ours, theirs), RATIO_MAX)
    const measuredAt = new Date().toISOString()
    const facts = { rounds, callsPerRound: CALLS_PER_ROUND, connections: CONNECTIONS }
    const perRound = ours.map((value, round) => value / (theirs[round] ?? Number.NaN))
    const results = { measuredAt, machine: machine(), ...facts, figures: [figure], ratios: perRound.map(rounded) }
    const document = `${JSON.stringify(results, null, 2)}\n`
    process.stdout.write(values.json ? document : figureTable([figure]))
    await mkdir(RESULTS, { recursive: true })
    await writeFile(join(RESULTS, 'chat-cpu.json'), document)
    return figure.met ? 0 : 1
  },
})

type Name = 'ours' | 'theirs'
type Figures = Record<Name, number[]>

/**
 * µs a call, of this checkout and of the other one, round by round. Half of the rounds run with ours started first and
 * half with theirs: of two installations of the same code, the one that started first was seen to use more.
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
    const installations = new Map<Name, Tollgate>()
    for (const name of startOrder) {
      const checkout = name === 'ours' ? HERE : other
      installations.set(name, await start(folder, checkout, name, `http://127.0.0.1:${port}`))
    }
    const measure = async (name: Name, calls: number) => microsPerCall(load, installations.get(name) as Tollgate, calls)
    for (const name of startOrder) await measure(name, WARM_UP_CALLS)
    for (let round = 0; round < rounds; round++) {
      // Each comes first in every other round, so that neither gains by its place.
      for (const name of round % 2 === 0 ? startOrder : startOrder.toReversed()) {
        figures[name].push(await measure(name, CALLS_PER_ROUND))
      }
      const [ours, theirs] = [figures.ours.at(-1) ?? 0, figures.theirs.at(-1) ?? 0]
      process.stderr.write(`round ${figures.ours.length}: ${ours.toFixed(1)} / ${theirs.toFixed(1)} µs\n`)
    }
  })
}

/** By the checkout's own script, so that each installation is migrated and filled by the code that runs on it. */
async function start(folder: BenchFolder, checkout: string, name: string, upstream: string): Promise<Tollgate> {
  const script = join(checkout, 'scripts', 'bench', 'gateway', 'tollgate.ts')
  if (!existsSync(script)) throw new WrongUsage(`${checkout} is not a checkout of this project: it has no ${script}`)
  const { startTollgate } = (await import(pathToFileURL(script).href)) as { startTollgate: typeof StartTollgate }
  const path = join(folder.path, name)
  await mkdir(path)
  return startTollgate({ path, closers: folder.closers }, upstream)
}

async function microsPerCall(load: ChildProcess, { call, usage }: Tollgate, calls: number): Promise<number> {
  const before = (await usage()).cpuMicros
  load.send({ ...call, connections: CONNECTIONS, calls } satisfies CountedLoad)
  const [{ failures }] = (await once(load, 'message')) as [CountedResult]
  if (failures > 0) throw new Error(`${failures} of the calls to ${call.url} failed`)
  return ((await usage()).cpuMicros - before) / calls
}

function rounded(ratio: number): number {
  return Math.round(ratio * 1_000) / 1_000
}
