import { parseArgs } from 'node:util'
import { BEGINNING } from '../contracts/position.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { MODEL_NAMES, requireModel } from './cli/models.ts'
import { rebuildWithBar } from './cli/rebuildWithBar.ts'
import { withInstallation } from './cli/withInstallation.ts'

const HELP = `npm run rebuild -- <model> [--json]

Builds a read model anew from the event store, beside the live one, and swaps it in. Readers and writers go on meanwhile.

Models: ${MODEL_NAMES}
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true })
    const [name] = positionals
    if (name === undefined || positionals.length > 1) throw new WrongUsage('name one read model')
    const projection = requireModel(name)
    const result = await withInstallation(async (engines) => {
      const total = await engines.store.eventsAfter(BEGINNING)
      const began = performance.now()
      const rebuilt = await rebuildWithBar(engines, projection, total)
      const seconds = (performance.now() - began) / 1000
      return { name, version: projection.version, ...rebuilt, seconds: Math.round(seconds * 1000) / 1000 }
    })
    if (values.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
    else
      process.stdout.write(
        `${name} rebuilt from ${result.events} events in ${result.seconds} s, at ${result.position || '-'}\n`,
      )
    return 0
  },
})
