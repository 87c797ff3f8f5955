import { parseArgs } from 'node:util'
import { useCompileCache } from './start/compileCache.ts'

useCompileCache()
const { runCommand, WrongUsage } = await import('./cli/command.ts')
const { runInstallation } = await import('./start/runInstallation.ts')
const { startStack } = await import('./stack/startStack.ts')

const HELP = `npm run stack -- [--gateways <n>] [--projectors <n>] [--relays <n>]

Every service as a process of its own, on the configured engines, kept running by one supervisor: what dies is started
again. Ctrl-C drains in order and leaves no process. Settings come from the environment; docs/operators.md lists them. Without
DATABASE_URL it brings its own PostgreSQL.

  --gateways <n>     1 by default; several need REDIS_URL, so that they hold one limit together. They answer at
                     GATEWAY_PORT, GATEWAY_PORT + 10, GATEWAY_PORT + 20 and so on; projectors and relays likewise
  --projectors <n>   1 by default
  --relays <n>       1 by default; with KAFKA_BROKERS only. One leads, the others take over

$DATA_DIR/stack.json tells which processes run.
`

const COUNT_MAX = 50

function count(name: string, text: string | undefined): number {
  const number = Number(text ?? 1)
  if (!/^\d*$/.test(text ?? '1') || number < 1 || number > COUNT_MAX) {
    throw new WrongUsage(`--${name} takes a number from 1 to ${COUNT_MAX}, not ${JSON.stringify(text)}`)
  }
  return number
}

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values } = parseArgs({
      args,
      options: { gateways: { type: 'string' }, projectors: { type: 'string' }, relays: { type: 'string' } },
    })
    const counts = {
      gateways: count('gateways', values.gateways),
      projectors: count('projectors', values.projectors),
      relays: count('relays', values.relays),
    }
    await runInstallation((config, signal) => startStack(config, counts, signal))
    return 0
  },
})
