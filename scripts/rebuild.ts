import { parseArgs } from 'node:util'
import { BEGINNING } from '../contracts/position.ts'
import { systemClock } from '../services/platform/clock/clock.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { MODEL_NAMES, requireModel } from './cli/models.ts'
import { rebuildWithBar } from './cli/rebuildWithBar.ts'
import { withInstallation } from './cli/withInstallation.ts'

const HELP = `npm run rebuild -- <model> [--json]

Rebuilds a read model from the event store beside the live one and then replaces it. Reads and writes continue meanwhile.

Models: ${MODEL_NAMES}
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true })
    const [name] = positionals
    if (name === undefined || positionals.length > 1) throw new WrongUsage('the name of one read model is required')
    const projection = requireModel(name)
    const result = await withInstallation(async (engines) => {
      const total = await engines.store.eventsAfter(BEGINNING)
      const beganMs = systemClock.monotonicMs()
      const rebuilt = await rebuildWithBar(engines, projection, total)
      const seconds = (systemClock.monotonicMs() - beganMs) / 1000
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
