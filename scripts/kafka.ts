import { parseArgs } from 'node:util'
import { readConfig } from '../platform/config/config.ts'
import { untilSignalled } from '../platform/lifecycle.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { type KafkaCluster, startKafka } from './kafka/cluster.ts'
import { kafkaJars, kafkaVersion } from './kafka/jars.ts'
import { progressLine } from './kafka/progressLine.ts'

const HELP = `npm run kafka [-- --brokers <n>] [--port <port>] [--heap <MB>] | --fetch

Runs Apache Kafka ${kafkaVersion} on 127.0.0.1 with the installed Java, until Ctrl-C. Maven downloads its jars once.
  --brokers <n>   1 to 9; default: as many as before, or 1 at the first start
  --port <port>   of the first broker, default 9092; the other brokers and the controllers use the next ports
  --heap <MB>     of each broker, default 256
  --fetch         only downloads the jars
Data is kept in DATA_DIR/kafka, logs in DATA_DIR/logs.
`

const OPTIONS = {
  brokers: { type: 'string' },
  port: { type: 'string' },
  heap: { type: 'string' },
  fetch: { type: 'boolean' },
} as const

// The reader of the output may be gone when Kafka stops; that must not end this process.
process.stdout.on('error', () => {})

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values } = parseArgs({ args, options: OPTIONS })
    const brokers = numberOf('--brokers', values.brokers, 1, 9)
    const port = numberOf('--port', values.port, 1, 65_535 - 17) ?? 9_092
    const heapMb = numberOf('--heap', values.heap, 64, 65_536)
    const { DATA_DIR } = readConfig(process.env)

    const starting = new AbortController()
    const signalled = untilSignalled(() => process.exit(1))
    signalled.then(() => starting.abort())
    const { signal } = starting
    const progress = progressLine()
    const ports = (count: number) => Array.from({ length: 2 * count }, (_, n) => port + n)
    try {
      if (values.fetch) {
        await kafkaJars({ onProgress: progress.update, signal })
        return 0
      }
      const cluster = await startKafka({
        dataDir: DATA_DIR,
        brokers,
        ports,
        heapMb,
        onProgress: progress.update,
        signal,
      })
      progress.end()
      return await runUntilStopped(cluster, signalled)
    } catch (error) {
      if (signal.aborted) return 0
      throw error
    } finally {
      progress.end()
    }
  },
})

async function runUntilStopped(cluster: KafkaCluster, signalled: Promise<unknown>): Promise<number> {
  // A second Ctrl-C does not wait for the brokers to stop, but must not leave them running.
  process.once('exit', cluster.abandon)
  const count = cluster.brokers.length
  process.stdout.write(
    `Kafka ${kafkaVersion} is ready: ${count === 1 ? 'one broker' : `${count} brokers`}, data in ${cluster.folder}\n` +
      `  log ${cluster.brokers.map(({ logFile }) => logFile).join(' ')}\n` +
      `Use it:\n  KAFKA_BROKERS=${cluster.addresses}\n`,
  )
  let stopping = false
  const allEnded = cluster.brokers.map(async (broker) => {
    await broker.ended
    if (!stopping)
      process.stderr.write(`Broker ${broker.id} ended: ${await broker.reason()}. Its log: ${broker.logFile}\n`)
  })
  const first = await Promise.race([signalled, Promise.all(allEnded).then(() => 'ended' as const)])
  if (first === 'ended') return 1
  stopping = true
  process.stdout.write('\nStopping Kafka; its data stays.\n')
  await cluster.stop()
  return 0
}

function numberOf(name: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= min && number <= max)) {
    throw new WrongUsage(`${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`)
  }
  return number
}
