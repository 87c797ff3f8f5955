import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchAppends } from './bench/appends.ts'
import { withBenchEngines } from './bench/benchDatabase.ts'
import { benchChat } from './bench/chat.ts'
import { type Figure, figureTable, machine } from './bench/figure.ts'
import { benchReading } from './bench/reading.ts'
import { runCommand, WrongUsage } from './cli/command.ts'

const PARTS: Readonly<Record<string, () => Promise<Figure[]>>> = {
  appends: () => withBenchEngines(benchAppends),
  reading: () => withBenchEngines(benchReading),
  chat: benchChat,
}

const HELP = `npm run bench [-- --only <part>] [--json]

Measures on this machine, each figure beside a bare reference of the same run: ${Object.keys(PARTS).join(', ')}.
Exits 1 when a bound is missed. A whole run leaves its figures in docs/results/bench.json.
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean' }, only: { type: 'string' } } })
    const names = values.only === undefined ? Object.keys(PARTS) : [values.only]
    const figures: Figure[] = []
    for (const name of names) {
      const part = PARTS[name]
      if (!part)
        throw new WrongUsage(`there is no part ${JSON.stringify(name)}; there are: ${Object.keys(PARTS).join(', ')}`)
      process.stderr.write(`measuring ${name}…\n`)
      figures.push(...(await part()))
    }
    const document = `${JSON.stringify({ measuredAt: new Date().toISOString(), machine: machine(), figures }, null, 2)}\n`
    process.stdout.write(values.json ? document : figureTable(figures))
    if (values.only === undefined) {
      const folder = join(import.meta.dirname, '..', 'docs', 'results')
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'bench.json'), document)
    }
    return figures.every(({ met }) => met) ? 0 : 1
  },
})
