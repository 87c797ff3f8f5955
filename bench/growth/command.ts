import { readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../platform/clock/clock.ts'
import { type Command, WrongUsage } from '../../scripts/cli/command.ts'
import { keepResults } from '../benchCommand.ts'
import { type BenchFolder, withBenchFolder } from '../feed/benchFolder.ts'
import { figureTable, machine } from '../figure.ts'
import { measureStart } from '../start/firstStart.ts'
import { type CpuTicks, readCpuTicks, stolenSince, warnOfStolen } from '../stolenTime.ts'
import { measureAudits } from './audits.ts'
import { measureCalls } from './calls.ts'
import { measureCosts } from './costs.ts'
import { generate } from './generate.ts'
import { dataDirOf, isWhole, readGenerated } from './generated.ts'
import { measureBalances, measurePages, measureReceipts, measureStatements, measureUsage } from './requests.ts'
import { alternating, GROWTH_MAX, type Growth } from './rounds.ts'
import { CHECKOUT, type Stack, settingsOf, startProvider, startStacks } from './stacks.ts'

const ROUNDS = 5

const SIZES = '10000,1000000,10000000'
const RESULTS_FILE = 'growth.json'
/** Deleted after calls were measured, because the calls made them much longer, and created again by the next run. */
const SMALL_EVENTS_MAX = 50_000

const ON_STACKS: Readonly<Record<string, (stacks: readonly Stack[]) => Promise<Growth[]>>> = {
  pages: measurePages,
  usage: measureUsage,
  receipts: measureReceipts,
  balances: measureBalances,
  statements: measureStatements,
  audit: measureAudits,
}
/** These come last, because they add events. */
const WITH_CALLS = { calls: measureCalls, costs: measureCosts }
const PARTS = ['starts', ...Object.keys(ON_STACKS), ...Object.keys(WITH_CALLS)]

const HELP = `npm run bench:growth -- [--generate] [--data <folder>] [--sizes <events,…>] [--only <part,…>] [--json]

Measures what serves requests with few and with many events in the store, in alternating rounds: ${PARTS.join(', ')}.
Each may take ${GROWTH_MAX} times as long with the most events as with the fewest; a whole audit is given for each event, without
a bound, and so is what a call costs. Exits with 1 if a bound is missed. The figures go to docs/results/${RESULTS_FILE}; those of other parts and sizes stay.

  --generate         makes the installations of all sizes, or continues to, and measures nothing: a million events take
                     some minutes, and ten million an hour and 26 GB
  --seconds <n>      stops generating after that time and exits with 1 if there is more to do; the next run continues
  --data <folder>    where the installations are kept; .data/bench-growth by default
  --sizes <events,…> ${SIZES} by default; those up to ${SMALL_EVENTS_MAX.toLocaleString('en')} are made when they are needed
  --only <part,…>    measures only these parts
  --json             prints one JSON document
`

export const growthCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values } = parseArgs({
      args,
      options: {
        data: { type: 'string', default: join('.data', 'bench-growth') },
        sizes: { type: 'string', default: SIZES },
        generate: { type: 'boolean', default: false },
        seconds: { type: 'string' },
        only: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    const data = resolve(values.data)
    const sizes = listOf(values.sizes).map((text) => wholeNumber('--sizes', text))
    const seconds = values.seconds === undefined ? Number.POSITIVE_INFINITY : wholeNumber('--seconds', values.seconds)
    if (values.generate) return (await generateAll(data, sizes, seconds)) ? 0 : 1
    if (values.seconds !== undefined) throw new WrongUsage('--seconds belongs to --generate')
    const parts = values.only === undefined ? PARTS : listOf(values.only)
    const unknown = parts.find((part) => !PARTS.includes(part))
    if (unknown !== undefined) throw new WrongUsage(`there is no part ${unknown}; the parts are: ${PARTS.join(', ')}`)
    await requireGenerated(data, sizes)
    const begin = readCpuTicks()
    const figures = await measure(data, sizes, parts)
    warnOfStolen('bench:growth', stolenSince(begin))
    if (parts.some((part) => part in WITH_CALLS)) await deleteSmall(data, sizes)
    const document = await mergedResults(figures, begin)
    await keepResults(RESULTS_FILE, document)
    process.stdout.write(values.json ? document : figureTable(figures))
    return figures.every(({ met }) => met) ? 0 : 1
  },
}

async function measure(data: string, sizes: readonly number[], parts: readonly string[]): Promise<Growth[]> {
  const figures: Growth[] = []
  const say = (part: string) => process.stderr.write(`measuring ${part}…\n`)
  if (parts.includes('starts')) {
    say('starts')
    figures.push(...(await withBenchFolder((folder) => measureStarts(folder, data, sizes))))
  }
  if (parts.every((part) => part === 'starts')) return figures
  return withBenchFolder(async (folder) => {
    const stacks = await startStacks(folder, data, sizes)
    for (const [part, measurePart] of Object.entries(ON_STACKS)) {
      if (!parts.includes(part)) continue
      say(part)
      figures.push(...(await measurePart(stacks)))
    }
    for (const [part, measurePart] of Object.entries(WITH_CALLS)) {
      if (!parts.includes(part)) continue
      say(part)
      figures.push(...(await measurePart(folder, stacks)))
    }
    return figures
  })
}

async function generateAll(data: string, sizes: readonly number[], seconds: number): Promise<boolean> {
  const endMs = systemClock.monotonicMs() + seconds * 1_000
  for (const events of sizes) {
    if (!(await generate({ dataDir: dataDirOf(data, events), events, endMs }))) return false
  }
  return true
}

async function requireGenerated(data: string, sizes: readonly number[]): Promise<void> {
  for (const events of sizes) {
    if (isWhole(await readGenerated(dataDirOf(data, events)))) continue
    if (events > SMALL_EVENTS_MAX) {
      throw new WrongUsage(`there are no ${events} events in ${data}: run it with --generate --sizes ${events} first`)
    }
    process.stderr.write(`generating ${events.toLocaleString('en')} events…\n`)
    await generateAll(data, [events], Number.POSITIVE_INFINITY)
  }
}

async function deleteSmall(data: string, sizes: readonly number[]): Promise<void> {
  for (const events of sizes.filter((size) => size <= SMALL_EVENTS_MAX)) {
    await rm(dataDirOf(data, events), { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Earlier measurements that are not repeated now stay, so that parts can be measured one by one on a busy day. */
async function mergedResults(figures: readonly Growth[], begin: CpuTicks | null): Promise<string> {
  const measuredAt = new Date().toISOString()
  const about = machine(begin)
  const file = join(CHECKOUT, 'docs', 'results', RESULTS_FILE)
  const before = await readFile(file, 'utf8').then(
    (text) => (JSON.parse(text) as { figures: Growth[] }).figures,
    () => [],
  )
  const names = new Set(figures.map(({ name }) => name))
  const kept = before.filter(({ name }) => !names.has(name))
  const all = [...kept, ...figures.map((figure) => ({ ...figure, measuredAt, stolen: about.stolen }))]
  const order = ({ part, events }: Growth) => PARTS.indexOf(part) * 1e9 + events
  const sorted = all.toSorted((a, b) => order(a) - order(b))
  return `${JSON.stringify({ measuredAt, machine: about, figures: sorted }, null, 2)}\n`
}

const listOf = (text: string): string[] => text.split(',').map((part) => part.trim())

function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new WrongUsage(`${option} takes whole numbers: ${JSON.stringify(text)}`)
  return Number(text)
}

/** `npm start` until it is ready, with everything projected and sealed. */
async function measureStarts(folder: BenchFolder, data: string, sizes: readonly number[]): Promise<Growth[]> {
  const providersFile = await startProvider(folder)
  const installations = sizes.map((events) => ({ events, dataDir: dataDirOf(data, events) }))
  return alternating(installations, {
    ...{ part: 'starts', name: 'ready', unit: 's', rounds: ROUNDS },
    measure: async ({ dataDir }) => (await measureStart(CHECKOUT, settingsOf(dataDir, providersFile))) / 1_000,
  })
}
