import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lastLine, runCommand } from '../../services/platform/postgres/embedded/runCommand.ts'
import { takeTurn } from '../../services/platform/postgres/embedded/startTurn.ts'
import { endOrphan, KafkaBroker } from './broker.ts'
import { type ClusterFolder, openClusterFolder } from './clusterFolder.ts'
import { kafkaJars } from './jars.ts'
import { findJava } from './java.ts'
import { javaFault } from './javaFault.ts'
import { takenPort } from './ports.ts'
import { asProperties, brokerAddresses, type ClusterShape, settingsOf } from './settings.ts'

export type KafkaCluster = {
  /** What `KAFKA_BROKERS` is to be set to. */
  readonly addresses: string
  readonly brokers: readonly KafkaBroker[]
  readonly folder: string
  /** Ends every broker; their data stays. */
  stop(): Promise<void>
  /** Ends every broker as a crash does; the next start goes on from what they had written. */
  kill(): Promise<void>
  /** The same without waiting: for a process that is about to end itself. */
  abandon(): void
}

export type KafkaOptions = {
  readonly dataDir: string
  /** As many as the folder was made with, if it is not said; one in a new folder. */
  readonly brokers?: number | undefined
  /** The ports of that many brokers and as many controllers behind them. */
  readonly ports: (brokers: number) => readonly number[] | Promise<readonly number[]>
  readonly heapMb?: number | undefined
  readonly javaArgs?: readonly string[]
  /** Added to the defaults. */
  readonly settings?: Readonly<Record<string, string>>
  readonly tell?: (line: string) => void
  readonly signal?: AbortSignal
}

const ownerWaitMs = 1_000
/** Less than this and a broker under load ends with no memory left. */
const heapMbDefault = 256

/** Starts the cluster in dataDir/kafka and waits until every broker serves. It goes on with the data that is there. */
export async function startKafka(options: KafkaOptions): Promise<KafkaCluster> {
  const { dataDir, tell, signal } = options
  const java = await findJava(signal)
  const jars = await kafkaJars({ ...(tell ? { tell } : {}), signal })
  const folder = await openClusterFolder(dataDir, options.brokers)
  const release = await own(folder)
  try {
    return await startOwned(folder, java, jars, release, options)
  } catch (error) {
    release()
    throw error
  }
}

/** Two that ran one folder would each stop the other's brokers as orphans. Ends with the process, however that ends. */
async function own(folder: ClusterFolder): Promise<() => void> {
  return takeTurn(folder.path, AbortSignal.timeout(ownerWaitMs)).catch((error: unknown) => {
    throw new Error(`${folder.path} is in use by another process: stop that one, or set DATA_DIR to another folder.`, {
      cause: error,
    })
  })
}

async function startOwned(
  folder: ClusterFolder,
  java: string,
  jars: string,
  release: () => void,
  { ports, heapMb = heapMbDefault, javaArgs = [], settings = {}, signal }: KafkaOptions,
): Promise<KafkaCluster> {
  const nodes = Array.from({ length: folder.brokers }, (_, n) => ({ id: n + 1, folder: folder.node(n + 1) }))
  await Promise.all(nodes.map((node) => endOrphan(node.folder)))
  const chosen = await ports(folder.brokers)
  const taken = await takenPort(chosen)
  if (taken !== null) throw new Error(`port ${taken} of 127.0.0.1 is taken: choose another with --port.`)
  const shape = { ports: chosen.slice(0, folder.brokers), controllerPorts: chosen.slice(folder.brokers) }
  await Promise.all(nodes.map(({ id }) => prepareNode(folder, id, shape, settings, { java, jars, signal })))

  const brokers = nodes.map(
    ({ id, folder }) => new KafkaBroker({ id, port: shape.ports[id - 1] ?? 0, java, jars, folder, heapMb, javaArgs }),
  )
  const abandon = () => {
    for (const broker of brokers) broker.abandon()
  }
  const failed = new AbortController()
  const starting = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])])
  const starts = brokers.map((broker) =>
    broker.start(starting).catch((error: unknown) => {
      // The others would wait for this one until their time is up. The first fault is the one that is told.
      failed.abort(error)
      throw error
    }),
  )
  await Promise.allSettled(starts)
  if (starting.aborted) {
    await Promise.all(brokers.map((broker) => broker.kill()))
    throw starting.reason
  }
  return {
    addresses: brokerAddresses(shape.ports),
    brokers,
    folder: folder.path,
    stop: async () => {
      // The last of several cannot take their leave, as who would grant it is gone; they are killed when time is up.
      await Promise.all(brokers.map((broker) => broker.stop()))
      release()
    },
    kill: async () => {
      await Promise.all(brokers.map((broker) => broker.kill()))
      release()
    },
    abandon,
  }
}

async function prepareNode(
  folder: ClusterFolder,
  id: number,
  shape: ClusterShape,
  settings: Readonly<Record<string, string>>,
  { java, jars, signal }: { java: string; jars: string; signal: AbortSignal | undefined },
): Promise<void> {
  const { settingsFile, dataFolder, formattedMark } = folder.node(id)
  await mkdir(dirname(settingsFile), { recursive: true, mode: 0o700 })
  await writeFile(settingsFile, asProperties({ ...settingsOf(id, shape, dataFolder), ...settings }))
  if (existsSync(formattedMark)) return
  const { ok, output } = await runCommand(
    java,
    // A run of a second or two is over before better machine code would pay.
    ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Dlog4j2.level=error', '-cp', join(jars, '*')].concat([
      'kafka.tools.StorageTool',
      'format',
      '--cluster-id',
      folder.clusterId,
      '--config',
      settingsFile,
    ]),
    { signal },
  )
  if (!ok)
    throw new Error(`Kafka's folder ${dataFolder} could not be formatted: ${javaFault(output) ?? lastLine(output)}`)
}
