import { randomBytes } from 'node:crypto'
import { mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

export type ClusterFolder = {
  readonly path: string
  readonly clusterId: string
  readonly brokers: number
  node(id: number): NodeFolder
}

/** The files and folders of one broker. */
export type NodeFolder = {
  readonly settingsFile: string
  readonly dataFolder: string
  /** Kafka creates it when the folder is formatted. */
  readonly formattedMark: string
  readonly logFile: string
  /** The output of Java, truncated at each start. */
  readonly outputFile: string
}

type Kept = { readonly clusterId: string; readonly brokers: number }

/** Creates the folder for this number of brokers at the first start; later starts use the stored number. */
export async function openClusterFolder(dataDir: string, brokers: number | undefined): Promise<ClusterFolder> {
  const wanted = resolve(dataDir)
  await mkdir(join(wanted, 'kafka'), { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`DATA_DIR: the folder ${wanted} cannot be written (${error.code}).`)
  })
  // Links are resolved, so that a folder has only one name.
  const root = await realpath(wanted)
  const path = join(root, 'kafka')
  const kept = (await readKept(path)) ?? (await keep(path, brokers ?? 1))
  if (brokers !== undefined && brokers !== kept.brokers) {
    throw new Error(
      `${path} was created for ${kept.brokers === 1 ? 'one broker' : `${kept.brokers} brokers`}, which share its data: ` +
        `start it with --brokers ${kept.brokers}, or move it away to start over.`,
    )
  }
  const logs = join(root, 'logs')
  await mkdir(logs, { recursive: true, mode: 0o700 })
  const node = (id: number): NodeFolder => {
    const dataFolder = join(path, String(id), 'data')
    return {
      settingsFile: join(path, String(id), 'server.properties'),
      dataFolder,
      formattedMark: join(dataFolder, 'meta.properties'),
      logFile: join(logs, `kafka-${id}.log`),
      outputFile: join(logs, `kafka-${id}.out`),
    }
  }
  return { path, ...kept, node }
}

async function readKept(path: string): Promise<Kept | null> {
  const file = join(path, 'cluster.json')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new Error(`${file} cannot be read (${error.code}).`)
  })
  return text === null ? null : (JSON.parse(text) as Kept)
}

async function keep(path: string, brokers: number): Promise<Kept> {
  const kept = { clusterId: newClusterId(), brokers }
  // Renamed once complete, because the data cannot be used with another id.
  const file = join(path, 'cluster.json')
  await writeFile(`${file}.new`, `${JSON.stringify(kept)}\n`, { flush: true })
  await rename(`${file}.new`, file)
  return kept
}

/** An id in Kafka's format. One that begins with a dash would be parsed as an option. */
function newClusterId(): string {
  const id = randomBytes(16).toString('base64url')
  return id.startsWith('-') ? newClusterId() : id
}
