import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand, WrongUsage } from '../cli/command.ts'
import { type Figure, figureTable, machine } from './figure.ts'

export type Bench = {
  /** The npm script. */
  readonly name: string
  readonly measures: string
  readonly parts: Readonly<Record<string, () => Promise<Figure[]>>>
  /** In docs/results. */
  readonly resultsFile: string
}

/** A table of figures or, with --json, one document. Exit code 1 when a bound is missed. */
export async function runBench({ name: script, measures, parts, resultsFile }: Bench): Promise<never> {
  const known = Object.keys(parts).join(', ')
  const help = `npm run ${script} [-- --only <part>] [--json]

${measures}: ${known}.
Exits 1 when a bound is missed. A whole run leaves its figures in docs/results/${resultsFile}.
`
  return runCommand({
    help,
    run: async (args) => {
      const { values } = parseArgs({ args, options: { json: { type: 'boolean' }, only: { type: 'string' } } })
      const names = values.only === undefined ? Object.keys(parts) : [values.only]
      const figures: Figure[] = []
      for (const name of names) {
        const part = parts[name]
        if (!part) throw new WrongUsage(`there is no part ${JSON.stringify(name)}; there are: ${known}`)
        process.stderr.write(`measuring ${name}…\n`)
        figures.push(...(await part()))
      }
      const measuredAt = new Date().toISOString()
      const document = `${JSON.stringify({ measuredAt, machine: machine(), figures }, null, 2)}\n`
      process.stdout.write(values.json ? document : figureTable(figures))
      if (values.only === undefined) await keep(resultsFile, document)
      return figures.every(({ met }) => met) ? 0 : 1
    },
  })
}

async function keep(file: string, document: string): Promise<void> {
  const folder = join(import.meta.dirname, '..', '..', 'docs', 'results')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, file), document)
}
