import { parseArgs } from 'node:util'
import { useCompileCache } from './start/compileCache.ts'

useCompileCache()
const { runCommand, WrongUsage } = await import('./cli/command.ts')
const { runInstallation } = await import('./start/runInstallation.ts')
const { startStack } = await import('./stack/startStack.ts')

const HELP = `npm run stack -- [--gateways <n>] [--projectors <n>] [--relays <n>]

Runs every service as a process of its own on the configured engines. A supervisor restarts processes that die. Ctrl-C
drains them in order and leaves no process behind. Settings come from the environment; docs/operators.md lists them.
Without DATABASE_URL it starts an embedded PostgreSQL.

  --gateways <n>     default 1; more than one needs REDIS_URL, so that they share their limits. They listen on
                     GATEWAY_PORT, GATEWAY_PORT + 10, GATEWAY_PORT + 20 and so on; projectors and relays likewise
  --projectors <n>   default 1
  --relays <n>       default 1; only with KAFKA_BROKERS. One is the leader, the others stand by

$DATA_DIR/stack.json lists the running processes.
`

const COUNT_MAX = 50

function count(name: string, text: string | undefined): number {
  const number = Number(text ?? 1)
  if (!/^\d*$/.test(text ?? '1') || number < 1 || number > COUNT_MAX) {
    throw new WrongUsage(`--${name} must be a number from 1 to ${COUNT_MAX}, not ${JSON.stringify(text)}`)
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
