import { join } from 'node:path'
import { openInstallation } from '../../capabilities/installation.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { openLog } from '../../platform/logger/logger.ts'
import { startKafka } from '../../scripts/kafka/cluster.ts'
import { progressLine } from '../../scripts/kafka/progressLine.ts'
import { startProcess } from '../../scripts/stack/serviceProcess.ts'
import { openConfiguredDatabase } from '../../scripts/start/openDatabase.ts'
import { freePorts } from '../freePorts.ts'
import { type BenchFolder, withBenchFolder } from './benchFolder.ts'
import type { FeedInstallation, Running } from './feedInstallation.ts'

export type KafkaInstallation = FeedInstallation & {
  startRelay(): Promise<Running>
  startProjectors(count: number): Promise<Running>
}

const READY_MS_MAX = 60_000
const SERVICES = join(import.meta.dirname, '..', '..', 'services')

/** As in `npm run stack`: relay and projectors are separate processes, with a Kafka of one broker. */
export async function withKafkaInstallation<Result>(
  work: (installation: KafkaInstallation) => Promise<Result>,
): Promise<Result> {
  return withBenchFolder(async (folder) => {
    const brokers = await startBroker(folder)
    const config = readConfig({ DATA_DIR: folder.path, KAFKA_BROKERS: brokers })
    const { url: databaseUrl } = await openConfiguredDatabase(config, new AbortController().signal, folder.closers)
    const { log } = openLog({ level: 'silent', file: null })
    const engines = await openInstallation(config, databaseUrl, { clock: systemClock, ids: systemIds, log })
    folder.closers.push(() => engines.close())
    const env = { ...settings(folder.path, databaseUrl), KAFKA_BROKERS: brokers }
    const startRelay = () => startService(folder, 'relay', 'RELAY_PORT', env)
    const startProjector = () => startService(folder, 'projector', 'PROJECTOR_PORT', env)
    const startProjectors = async (count: number) =>
      together(await Promise.all(Array.from({ length: count }, startProjector)))
    return work({ engines, startRelay, startProjector, startProjectors })
  })
}

async function startBroker({ path, closers }: BenchFolder): Promise<string> {
  const progress = progressLine()
  const cluster = await startKafka({
    dataDir: path,
    ports: (count) => freePorts(2 * count),
    onProgress: progress.update,
  })
  progress.end()
  // An exit without closing must not leave the broker running.
  process.once('exit', cluster.abandon)
  closers.push(async () => {
    await cluster.kill()
    process.off('exit', cluster.abandon)
  })
  return cluster.addresses
}

/** All settings, so that those of the shell have no effect. */
function settings(dataDir: string, databaseUrl: string): Record<string, string> {
  return {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    EVENTSTORE_URL: '',
    REDIS_URL: '',
    HOST: '127.0.0.1',
    INTERNAL_TOKEN: 'of-a-bench-that-asks-nothing',
    LOG_LEVEL: 'error',
    // kafkajs sets negative timers, about which Node would print warnings.
    NODE_OPTIONS: '--disable-warning=TimeoutNegativeWarning',
  }
}

async function startService(
  { closers }: BenchFolder,
  name: string,
  portSetting: string,
  env: Readonly<Record<string, string>>,
): Promise<Running> {
  const [port] = await freePorts(1)
  const program = {
    name,
    main: join(SERVICES, name, 'main.ts'),
    env: { ...env, [portSetting]: String(port) },
    url: `http://127.0.0.1:${port}`,
  }
  const service = startProcess(program, (line) => process.stderr.write(`${name}: ${line}\n`))
  const end = async (signal: NodeJS.Signals) => {
    service.signal(signal)
    return service.ended
  }
  // Closed before its engines; a process that has already ended is not affected.
  closers.push(async () => void (await end('SIGKILL')))
  if (!(await service.isReady(AbortSignal.timeout(READY_MS_MAX)))) {
    throw new Error(`the ${name} did not start: ${await end('SIGKILL')}`)
  }
  return { stop: async () => void (await end('SIGTERM')) }
}

function together(running: readonly Running[]): Running {
  return { stop: async () => void (await Promise.all(running.map((one) => one.stop()))) }
}
