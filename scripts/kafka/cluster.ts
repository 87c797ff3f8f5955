import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { lastLine, runCommand } from '../../platform/postgres/embedded/runCommand.ts'
import { takeTurn } from '../../platform/postgres/embedded/startTurn.ts'
import { endOrphan, KafkaBroker } from './broker.ts'
import { type ClusterFolder, openClusterFolder } from './clusterFolder.ts'
import { kafkaJars } from './jars.ts'
import { javaFault } from './javaFault.ts'
import { asProperties, brokerAddresses, type ClusterShape, settingsOf } from './settings.ts'
import { KafkaUnavailable } from './unavailable.ts'

// The oldest Java that can run Kafka 4 brokers.
const JAVA_MAJOR_MIN = 17

export type KafkaCluster = {
  /** The value for `KAFKA_BROKERS`. */
  readonly addresses: string
  readonly brokers: readonly KafkaBroker[]
  readonly folder: string
  /** Stops every broker and keeps its data. */
  stop(): Promise<void>
  /** Kills every broker, like a crash; the next start continues with the data that they had written. */
  kill(): Promise<void>
  /** Kills every broker without waiting, for a process that is about to exit. */
  abandon(): void
}

export type KafkaOptions = {
  readonly dataDir: string
  /** Default: as many as the folder was created with; one in a new folder. */
  readonly brokers?: number | undefined
  /** Returns the ports of that many brokers, followed by those of as many controllers. */
  readonly ports: (brokers: number) => readonly number[] | Promise<readonly number[]>
  readonly heapMb?: number | undefined
  readonly javaArgs?: readonly string[]
  /** Added to the defaults. */
  readonly settings?: Readonly<Record<string, string>>
  readonly onProgress?: (line: string) => void
  readonly signal?: AbortSignal
}

const ownerWaitMs = 1_000
/** With less, a broker under load runs out of memory. */
const heapMbDefault = 256

/** Starts the cluster in dataDir/kafka on its existing data and waits until every broker is ready. */
export async function startKafka(options: KafkaOptions): Promise<KafkaCluster> {
  const { dataDir, onProgress, signal } = options
  const java = await findJava(signal)
  const jars = await kafkaJars({ ...(onProgress ? { onProgress } : {}), signal })
  const folder = await openClusterFolder(dataDir, options.brokers)
  const release = await own(folder)
  try {
    return await startOwned(folder, java, jars, release, options)
  } catch (error) {
    release()
    throw error
  }
}

/** Claims the folder for this process: two owners would stop each other's brokers as orphans. */
async function own(folder: ClusterFolder): Promise<() => void> {
  return takeTurn(folder.path, AbortSignal.timeout(ownerWaitMs)).catch((error: unknown) => {
    throw new Error(
      `${folder.path} is in use by another process: stop that process, or set DATA_DIR to another folder.`,
      {
        cause: error,
      },
    )
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
  if (taken !== null) throw new Error(`port ${taken} on 127.0.0.1 is taken: choose another with --port.`)
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
      // The others would wait for this one until they time out. The first error is thrown.
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
      // The last brokers cannot leave gracefully, because the quorum is gone; they are killed after a time-out.
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
    // A run of one or two seconds is too short for the optimizing compiler to pay off.
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

/** The installed Java, from JAVA_HOME or the search path. */
export async function findJava(signal?: AbortSignal): Promise<string> {
  const home = process.env.JAVA_HOME
  const java = home ? join(home, 'bin', 'java') : 'java'
  const { ok, output } = await runCommand(java, ['-version'], { signal })
  const major = Number(/version "(\d+)/.exec(output)?.[1])
  if (!ok) {
    throw new KafkaUnavailable(
      `Kafka needs Java ${JAVA_MAJOR_MIN} or newer, and ${java} cannot be run: install one (Debian: default-jre-headless), or set JAVA_HOME.`,
    )
  }
  if (!(major >= JAVA_MAJOR_MIN)) {
    throw new KafkaUnavailable(
      `Kafka needs Java ${JAVA_MAJOR_MIN} or newer, and ${java} is ${major || 'of an unknown version'}.`,
    )
  }
  return java
}

/** The first of these loopback ports that another program uses, or null. */
export async function takenPort(ports: readonly number[]): Promise<number | null> {
  for (const port of ports) if (!(await isFree(port))) return port
  return null
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}
