import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand, WrongUsage } from '../cli/command.ts'
import { type Figure, figureTable, machine } from './figure.ts'

/** A short run only shows that everything works; its figures are not written. */
export type Pace = { readonly isShort: boolean }

export type Bench = {
  /** The npm script. */
  readonly name: string
  readonly measures: string
  readonly parts: Readonly<Record<string, (pace: Pace) => Promise<Figure[]>>>
  /** What `--short` does, for a bench that can be short. */
  readonly short?: string
  /** In docs/results. */
  readonly resultsFile: string
}

/** Prints a table of figures or, with --json, one document. Exits with 1 if a bound is missed. */
export async function runBench({ name: script, measures, parts, short, resultsFile }: Bench): Promise<never> {
  const known = Object.keys(parts).join(', ')
  const help = `npm run ${script} [-- --only <part>] [--json]${short ? ' [--short]' : ''}

${measures}: ${known}.
${short ? `With --short ${short}\n` : ''}Exits with 1 if a bound is missed. A full run writes its figures to docs/results/${resultsFile}.
`
  return runCommand({
    help,
    run: async (args) => {
      const { values } = parseArgs({
        args,
        options: { json: { type: 'boolean' }, only: { type: 'string' }, ...(short && { short: { type: 'boolean' } }) },
      })
      const isShort = values.short === true
      const names = values.only === undefined ? Object.keys(parts) : [values.only]
      const figures: Figure[] = []
      for (const name of names) {
        const part = parts[name]
        if (!part) throw new WrongUsage(`there is no part ${JSON.stringify(name)}; the parts are: ${known}`)
        process.stderr.write(`measuring ${name}…\n`)
        figures.push(...(await part({ isShort })))
      }
      const measuredAt = new Date().toISOString()
      const document = `${JSON.stringify({ measuredAt, machine: machine(), figures }, null, 2)}\n`
      process.stdout.write(values.json ? document : figureTable(figures))
      if (values.only === undefined && !isShort) await keepResults(resultsFile, document)
      return figures.every(({ met }) => met) ? 0 : 1
    },
  })
}

/** Writes a document to docs/results. */
export async function keepResults(file: string, document: string): Promise<void> {
  const folder = join(import.meta.dirname, '..', '..', 'docs', 'results')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, file), document)
}
