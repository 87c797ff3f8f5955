import { parseArgs } from 'node:util'
import { systemClock } from '../platform/clock/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import { untilSignalled } from '../platform/lifecycle.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { withInstallation } from './cli/withInstallation.ts'
import { readFeedStatus, statusText } from './feed/status.ts'

const HELP = `npm run feed -- status [--watch] [--json]

Prints the position of the event store, how many events the relay and each read model are behind it, by partition of the
feed, and which process holds which lease. BEHIND counts events of the whole store: with several partitions it is an
upper bound for each of them.

  --watch   prints it every second, until Ctrl-C
  --json    prints one JSON document
`

const WATCH_MS = 1_000
const CLEAR_SCREEN = '\x1b[H\x1b[J'

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args,
      options: { watch: { type: 'boolean' }, json: { type: 'boolean' } },
      allowPositionals: true,
    })
    if (positionals.length !== 1 || positionals[0] !== 'status') throw new WrongUsage('an action is required: status')
    if (values.watch && values.json) throw new WrongUsage('--watch and --json exclude each other')
    const usesKafka = readConfig(process.env).KAFKA_BROKERS !== undefined
    await withInstallation(async (engines) => {
      const read = () => readFeedStatus(engines, usesKafka)
      if (values.watch) return watch(async () => statusText(await read(), systemClock.now()))
      const status = await read()
      process.stdout.write(values.json ? `${JSON.stringify(status, null, 2)}\n` : statusText(status, systemClock.now()))
    })
    return 0
  },
})

async function watch(text: () => Promise<string>): Promise<void> {
  const stopping = new AbortController()
  untilSignalled(() => process.exit(1)).then(() => stopping.abort())
  while (!stopping.signal.aborted) {
    process.stdout.write((process.stdout.isTTY ? CLEAR_SCREEN : '') + (await text()))
    await systemClock.delay(WATCH_MS, stopping.signal)
  }
}
