import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand, WrongUsage } from '../scripts/cli/command.ts'
import { updateScaleDocument } from '../scripts/scale/document.ts'
import { type Figure, figureTable, machine } from './figure.ts'
import { type CpuTicks, readCpuTicks, stolenSince, warnOfStolen } from './stolenTime.ts'

/** A short run only shows that everything works; its figures are not saved. */
export type Pace = {
  readonly isShort: boolean
  /** Where the measured data is kept; missing for a benchmark that creates it each time. */
  readonly dataDir?: string | null
}

const DATA_HELP = `With --data the data is made in the folder, unless it is there, and kept; with --prepare nothing is measured.
A run that was ended goes on where it was, so that only the measuring needs a quiet machine.
`

type Measure = (pace: Pace) => Promise<Figure[]>

/** A part whose figures go into their own file in docs/results. It may need an engine that not every machine has. */
export type OptionalPart = {
  readonly measure: Measure
  readonly resultsFile: string
  /** Why it cannot be measured here; null if it can. */
  missing(): string | null
}

export type Bench = {
  /** The npm script. */
  readonly name: string
  readonly measures: string
  readonly parts: Readonly<Record<string, Measure>>
  readonly optionalParts?: Readonly<Record<string, OptionalPart>>
  /** What `--short` does, for a benchmark that can be short. */
  readonly short?: string
  /** Creates the data in a folder, for a benchmark that can measure it later. */
  readonly prepare?: (pace: Pace, folder: string) => Promise<void>
  /** In docs/results. */
  readonly resultsFile: string
}

/** Prints a table of figures or, with --json, one document. Exits with 1 if a bound is missed. */
export async function runBench(bench: Bench): Promise<never> {
  const { name: script, measures, parts, optionalParts = {}, short, prepare, resultsFile } = bench
  const names = [...Object.keys(parts), ...Object.keys(optionalParts)]
  const known = names.join(', ')
  const help = `npm run ${script} [-- --only <part>] [--json]${short ? ' [--short]' : ''}${prepare ? ' [--data <folder> [--prepare]]' : ''}

${measures}: ${known}.
${short ? `With --short ${short}\n` : ''}${prepare ? DATA_HELP : ''}Exits with 1 if a bound is missed. A full run writes its figures to docs/results/${resultsFile}.
${Object.entries(optionalParts).map(optionalHelp).join('')}`
  return runCommand({
    help,
    run: async (args) => {
      const { values } = parseArgs({
        args,
        options: {
          json: { type: 'boolean' },
          only: { type: 'string' },
          ...(short && { short: { type: 'boolean' } }),
          ...(prepare && { data: { type: 'string' }, prepare: { type: 'boolean' } }),
        },
      })
      const { only } = values
      const dataDir = typeof values.data === 'string' ? resolve(values.data) : null
      const pace = { isShort: values.short === true, dataDir }
      const { isShort } = pace
      if (values.prepare === true) {
        if (!prepare || dataDir === null) throw new WrongUsage('--prepare needs --data <folder>')
        await prepare(pace, dataDir)
        return 0
      }
      if (only !== undefined && !names.includes(only)) {
        throw new WrongUsage(`there is no part ${JSON.stringify(only)}; the parts are: ${known}`)
      }
      const figures: Figure[] = []
      const begin = readCpuTicks()
      for (const [name, measure] of Object.entries(parts)) {
        if (only === undefined || only === name) figures.push(...(await measured(name, measure, pace)))
      }
      if (only === undefined && !isShort) await keepResults(resultsFile, documentOf(figures, begin))
      for (const [name, part] of Object.entries(optionalParts)) {
        if (only !== undefined && only !== name) continue
        const missing = part.missing()
        if (missing !== null && only === name) throw new WrongUsage(missing)
        if (missing !== null) process.stderr.write(`${name} is not measured: ${missing}\n`)
        else figures.push(...(await measuredAlone(name, part, pace)))
      }
      process.stdout.write(values.json ? documentOf(figures, begin) : figureTable(figures))
      return figures.every(({ met }) => met) ? 0 : 1
    },
  })
}

function optionalHelp([name, { resultsFile }]: [string, OptionalPart]): string {
  return `The figures of ${name} go to docs/results/${resultsFile}, also with --only.\n`
}

async function measured(name: string, measure: Measure, pace: Pace): Promise<Figure[]> {
  process.stderr.write(`measuring ${name}…\n`)
  const begin = readCpuTicks()
  const figures = await measure(pace)
  warnOfStolen(name, stolenSince(begin))
  return figures
}

async function measuredAlone(name: string, part: OptionalPart, pace: Pace): Promise<Figure[]> {
  const begin = readCpuTicks()
  const figures = await measured(name, part.measure, pace)
  if (!pace.isShort) await keepResults(part.resultsFile, documentOf(figures, begin))
  return figures
}

function documentOf(figures: readonly Figure[], begin: CpuTicks | null): string {
  const measuredAt = new Date().toISOString()
  return `${JSON.stringify({ measuredAt, machine: machine(begin), figures }, null, 2)}\n`
}

/** Writes a document to docs/results, and the tables computed from the results. */
export async function keepResults(file: string, document: string): Promise<void> {
  const folder = join(import.meta.dirname, '..', 'docs', 'results')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, file), document)
  // The results matter more than the tables, which "npm run scale -- --write" can compute later.
  await updateScaleDocument().catch((error: Error) => {
    process.stderr.write(`docs/scale.md is not updated: ${error.message}\n`)
  })
}
