import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand, WrongUsage } from '../scripts/cli/command.ts'
import { keepResults } from './benchCommand.ts'
import { atMost, figureTable, machine, median, ratioFigure } from './figure.ts'
import { measureCatchUp } from './start/caughtUp.ts'
import { measureFirstStart } from './start/firstStart.ts'
import { makeUnprojected } from './start/unprojected.ts'
import { readCpuTicks, warnOfStolen } from './stolenTime.ts'

const STARTS = 10
const RATIO_MAX = 0.8

/** Includes the start of the services themselves, the rows that are written, and the demo's users. */
const UNPROJECTED_RATIO_MAX = 4
/** Memory is compared with that of a start with a fourth of the events. */
const FEWER = 4
const MEMORY_RATIO_MAX = 1.2

const HELP = `npm run bench:start -- <folder of another checkout> [--starts ${STARTS}] [--json]
npm run bench:start -- --unprojected <events> [--json]

Measures the time from "npm start" to the ready line as after a fresh "npm ci": with no compile cache and no data.
The other checkout needs its node_modules. The starts of the two alternate, because only their ratio is comparable.
Exits 1 if the median of this checkout is more than ${RATIO_MAX} of the other's. The figures are written to
docs/results/start.json.

With --unprojected, makes an installation with so many events that no read model has, and measures the time to the ready line
beside a bare read of the same events, and the peak memory until all read models are current, beside that with a fourth of the
events. Exits 1 if it takes more than ${UNPROJECTED_RATIO_MAX} times as long, or more than ${MEMORY_RATIO_MAX} times the memory. The figures are written to
docs/results/start-unprojected.json.
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args,
      options: {
        json: { type: 'boolean' },
        starts: { type: 'string', default: String(STARTS) },
        unprojected: { type: 'string' },
      },
      allowPositionals: true,
    })
    if (values.unprojected !== undefined) return benchUnprojected(values.unprojected, values.json === true)
    const starts = Number(values.starts)
    if (!Number.isInteger(starts) || starts < 1)
      throw new WrongUsage(`--starts must be a number above 0: ${values.starts}`)
    if (positionals.length !== 1) throw new WrongUsage('the folder of one other checkout is required')
    const checkouts = { this: join(import.meta.dirname, '..'), other: resolve(positionals[0] ?? '') }
    await access(join(checkouts.other, 'node_modules')).catch(() => {
      throw new WrongUsage(`${checkouts.other} is not a checkout with node_modules: run npm ci there`)
    })
    const begin = readCpuTicks()
    const times = { this: [] as number[], other: [] as number[] }
    for (let round = 1; round <= starts; round += 1) {
      // The order changes with each round, so that neither always benefits from the page cache of the other.
      const order = round % 2 ? (['other', 'this'] as const) : (['this', 'other'] as const)
      for (const which of order) times[which].push(await measureFirstStart(checkouts[which]))
      process.stderr.write(
        `round ${round}: ${seconds(times.this.at(-1))} s here, ${seconds(times.other.at(-1))} s there\n`,
      )
    }
    const figures = [
      atMost(
        ratioFigure('first npm start', 'ms', Math.round(median(times.this)), Math.round(median(times.other))),
        RATIO_MAX,
      ),
    ]
    const milliseconds = { this: times.this.map(Math.round), other: times.other.map(Math.round) }
    const report = { measuredAt: new Date().toISOString(), machine: machine(begin), figures, milliseconds }
    warnOfStolen('bench:start', report.machine.stolen)
    const document = `${JSON.stringify(report, null, 2)}\n`
    process.stdout.write(values.json ? document : figureTable(figures))
    await keepResults('start.json', document)
    return figures.every(({ met }) => met) ? 0 : 1
  },
})

async function benchUnprojected(text: string, asJson: boolean): Promise<number> {
  const events = Number(text)
  if (!Number.isInteger(events) || events < 1) throw new WrongUsage(`--unprojected must be a number above 0: ${text}`)
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-start-'))
  const begin = readCpuTicks()
  try {
    const measured = async (count: number) => {
      const dataDir = join(folder, String(count))
      process.stderr.write(`appending ${count.toLocaleString('en')} events\n`)
      const bareMs = await makeUnprojected(dataDir, count)
      return { bareMs, ...(await measureCatchUp(join(import.meta.dirname, '..'), dataDir)) }
    }
    const few = await measured(Math.ceil(events / FEWER))
    const all = await measured(events)
    const name = `npm start with ${events.toLocaleString('en')} events that no read model has`
    const memory = `its peak memory until all read models are current, beside ${(events / FEWER).toLocaleString('en')} events`
    const times = ([what, ms]: [string, number]) => ratioFigure(what, 'ms', Math.round(ms), Math.round(all.bareMs))
    const figures = [
      atMost(times([name, all.readyMs]), UNPROJECTED_RATIO_MAX),
      times(['until all read models are current', all.currentMs]),
      atMost(ratioFigure(memory, 'MiB', Math.round(all.peakMiB), Math.round(few.peakMiB)), MEMORY_RATIO_MAX),
    ]
    const report = { measuredAt: new Date().toISOString(), machine: machine(begin), figures }
    warnOfStolen('bench:start', report.machine.stolen)
    const document = `${JSON.stringify(report, null, 2)}\n`
    process.stdout.write(asJson ? document : figureTable(figures))
    await keepResults('start-unprojected.json', document)
    return figures.every(({ met }) => met) ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

function seconds(ms = 0): string {
  return (ms / 1000).toFixed(2)
}
