import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand, WrongUsage } from '../scripts/cli/command.ts'
import { keepResults } from './benchCommand.ts'
import { withBenchEngines } from './benchDatabase.ts'
import { atMost, type Figure, figureTable, machine, median, plainFigure, ratioFigure } from './figure.ts'
import { bareInsert } from './restore/bareInsert.ts'
import { type MeasuredRestore, measureRestore } from './restore/measureRestore.ts'
import { writePastBackup } from './restore/pastBackup.ts'
import { readCpuTicks, warnOfStolen } from './stolenTime.ts'

const EVENTS = 200_000
const SHORT_EVENTS = 20_000
/** The memory is compared with that of a backup with a fourth of the events. */
const FEWER = 4
const SPEED_RATIO_MIN = 0.5
const MEMORY_RATIO_MAX = 1.2

const HELP = `npm run bench:restore [-- --events ${EVENTS}] [--short] [--json]

Measures a restore into an empty installation, and the same restore again, where every event is already there, beside a bare
insert of the same rows: as many in a transaction, into a table with the same columns and indexes, as durably. The backup has
the events of a few companies in the order in which they came. Its check, which reads the whole file first, counts.
Also compares the peak memory with that of a restore of a fourth of the events.
With --short the backup has ${SHORT_EVENTS} events. Exits 1 if storing, or a whole restore with "--read-models later", is
slower than ${SPEED_RATIO_MIN} of the bare insert, or if the memory is more than ${MEMORY_RATIO_MAX} times that of the smaller restore.
A run with the default number of events writes docs/results/restore.json.
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values } = parseArgs({
      args,
      options: { json: { type: 'boolean' }, short: { type: 'boolean' }, events: { type: 'string' } },
    })
    const events = Number(values.events ?? (values.short ? SHORT_EVENTS : EVENTS))
    if (!Number.isInteger(events) || events < FEWER) throw new WrongUsage(`--events must be a number: ${values.events}`)
    const begin = readCpuTicks()
    const figures = await measure(events)
    const report = { measuredAt: new Date().toISOString(), machine: machine(begin), events, figures }
    warnOfStolen('bench:restore', report.machine.stolen)
    const document = `${JSON.stringify(report, null, 2)}\n`
    process.stdout.write(values.json ? document : figureTable(figures))
    if (events === EVENTS) await keepResults('restore.json', document)
    return figures.every(({ met }) => met) ? 0 : 1
  },
})

async function measure(events: number): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-restore-'))
  try {
    const file = join(folder, 'saved.gz')
    const smaller = join(folder, 'smaller.gz')
    await writePastBackup(smaller, Math.floor(events / FEWER))
    await writePastBackup(file, events)
    const few = await measureRestore(smaller, join(folder, 'few'))
    const bareMs = [await withBenchEngines(({ database }) => bareInsert(database, events))]
    const first = await measureRestore(file, join(folder, 'many'))
    const again = await measureRestore(file, join(folder, 'many'))
    const later = await measureRestore(file, join(folder, 'later'), 'later')
    bareMs.push(await withBenchEngines(({ database }) => bareInsert(database, events)))
    requireAll(events, first.appended)
    requireAll(events, again.found)
    requireAll(events, later.appended)
    return figuresOf(events, { few, first, again, later, bareSeconds: median(bareMs) / 1_000 })
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

type Results = {
  readonly few: MeasuredRestore
  readonly first: MeasuredRestore
  readonly again: MeasuredRestore
  readonly later: MeasuredRestore
  readonly bareSeconds: number
}

function figuresOf(events: number, { few, first, again, later, bareSeconds }: Results): Figure[] {
  const bare = events / bareSeconds
  const rateOf = (seconds: number) => events / seconds
  const beside = (name: string, seconds: number, ratioMin?: number) =>
    ratioFigure(name, 'events/s', Math.round(rateOf(seconds)), Math.round(bare), ratioMin)
  return [
    beside('events checked and stored', first.took.check + first.took.events, SPEED_RATIO_MIN),
    beside('the whole restore that leaves the read models to the next start', later.seconds, SPEED_RATIO_MIN),
    beside('the whole restore, with all read models', first.seconds),
    beside('events of a repeated restore checked and compared', again.took.check + again.took.events),
    beside('the whole repeated restore', again.seconds),
    plainFigure('check of the file', 's', first.took.check),
    plainFigure('read models', 's', first.took.readModels),
    atMost(
      ratioFigure(
        `peak memory, beside a restore of ${(events / FEWER).toLocaleString('en')} events`,
        'MiB',
        Math.max(first.took.peakMemoryMiB, again.took.peakMemoryMiB),
        few.took.peakMemoryMiB,
      ),
      MEMORY_RATIO_MAX,
    ),
  ]
}

function requireAll(events: number, restored: number): void {
  if (restored !== events) throw new Error(`${restored} of ${events} events were restored`)
}
