import { parseArgs } from 'node:util'
import { TransparencyFault } from '../capabilities/transparency/sealing/fault.ts'
import { type RebuiltTransparency, rebuildTransparency } from '../capabilities/transparency/sealing/rebuild.ts'
import { BEGINNING } from '../contracts/position.ts'
import { systemClock } from '../platform/clock/clock.ts'
import type { Engines } from '../platform/engines.ts'
import { systemIds } from '../platform/ids/ids.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { MODEL_NAMES, requireModel } from './cli/models.ts'
import { progressBar } from './cli/progressBar.ts'
import { rebuildWithBar } from './cli/rebuildWithBar.ts'
import { withInstallation } from './cli/withInstallation.ts'

/** The name of the transparency log among the read models. */
const TRANSPARENCY_MODEL = 'ledger-log'

const HELP = `npm run rebuild -- <model> [--json]

Rebuilds a read model from the event store beside the live one and then replaces it. Reads and writes continue meanwhile.

${TRANSPARENCY_MODEL} is the transparency log: the new one replaces the old only if it has every checkpoint that was ever signed.
Otherwise the command fails and names the first event that differs.

Models: ${MODEL_NAMES}, ${TRANSPARENCY_MODEL}
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true })
    const [name] = positionals
    if (name === undefined || positionals.length > 1) throw new WrongUsage('the name of one read model is required')
    const projection = name === TRANSPARENCY_MODEL ? null : requireModel(name)
    const result = await withInstallation(async (engines) => {
      const total = await engines.store.eventsAfter(BEGINNING)
      const beganMs = systemClock.monotonicMs()
      const rebuilt = projection
        ? { version: projection.version, ...(await rebuildWithBar(engines, projection, total)) }
        : await rebuildTransparencyWithBar(engines, total)
      const seconds = (systemClock.monotonicMs() - beganMs) / 1000
      return { name, ...rebuilt, seconds: Math.round(seconds * 1000) / 1000 }
    })
    if (values.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
    else
      process.stdout.write(
        `${name} rebuilt from ${result.events} events in ${result.seconds} s, at ${result.position || '-'}${checkpointsOf(result)}\n`,
      )
    return 0
  },
})

function checkpointsOf(result: object): string {
  return 'checkpoints' in result ? `; all ${result.checkpoints} signed checkpoints are met` : ''
}

/** Rebuilds the transparency log from the store, with a progress bar of `total` events. */
async function rebuildTransparencyWithBar(
  { database, storeAsWritten: store }: Pick<Engines, 'database' | 'storeAsWritten'>,
  total: number,
): Promise<RebuiltTransparency> {
  const bar = progressBar(TRANSPARENCY_MODEL, total)
  const onProgress = (_position: string, read: number) => bar.update(read)
  try {
    return await rebuildTransparency({ database, store, clock: systemClock, ids: systemIds, onProgress })
  } catch (error) {
    if (!(error instanceof TransparencyFault)) throw error
    throw new Error(`the event store does not give the log that was signed: ${error.message}. The old log was kept`, {
      cause: error,
    })
  } finally {
    bar.end()
  }
}
