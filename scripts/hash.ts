import { parseArgs } from 'node:util'
import { PROJECTIONS } from '../projections/catalogue.ts'
import { hashProjection } from '../projections/runner/hash.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { MODEL_NAMES, requireModel } from './cli/models.ts'
import { withInstallation } from './cli/withInstallation.ts'

const HELP = `npm run hash [-- <model>] [--json]

Prints the name of each read model, the position up to which it is built, and one SHA-256 over its rows in the order of
their keys. Two installations with the same events have the same hashes, and so do a model and its rebuild. Standard error
names models that are not built yet or far behind the event store.

Models: ${MODEL_NAMES}
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true })
    if (positionals.length > 1) throw new WrongUsage('at most one read model can be named')
    const models = positionals[0] === undefined ? PROJECTIONS : [requireModel(positionals[0])]
    const hashes = await withInstallation(
      async ({ database }) => {
        const results = []
        for (const projection of models) {
          const result = await hashProjection(database, projection)
          if (!result) throw new Error(`read model ${projection.name} is not built yet: start the projector once`)
          const position = Object.values(result.positions).toSorted()[0] ?? ''
          results.push({ name: projection.name, position, rows: result.rows, hash: result.hash })
        }
        return results
      },
      { reads: models },
    )
    if (values.json) process.stdout.write(`${JSON.stringify(hashes, null, 2)}\n`)
    // A model that has read no event has no position; there are always three columns.
    else for (const { name, position, hash } of hashes) process.stdout.write(`${name} ${position || '-'} ${hash}\n`)
    return 0
  },
})
