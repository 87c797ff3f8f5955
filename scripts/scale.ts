import { parseArgs } from 'node:util'
import { runCommand } from './cli/command.ts'
import { updateScaleDocument } from './scale/document.ts'
import { measuredIn } from './scale/results.ts'
import { scaleTables } from './scale/tables.ts'

const HELP = `npm run scale [-- --write] [--json]

Prints what a call costs each part, where the parts saturate, and what a million calls a second need, computed from
docs/results. Benchmarks that write results also update the tables of docs/scale.md.

  --write   writes the tables into docs/scale.md
  --json    prints the measured figures as one JSON document
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values } = parseArgs({ args, options: { write: { type: 'boolean' }, json: { type: 'boolean' } } })
    const measured = await measuredIn()
    if (values.write) await updateScaleDocument()
    const tables = Object.entries(scaleTables(measured)).map(([name, table]) => `${name}\n\n${table}\n`)
    process.stdout.write(values.json ? `${JSON.stringify(measured, null, 2)}\n` : tables.join('\n'))
    return 0
  },
})
