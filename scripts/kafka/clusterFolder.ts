import { randomBytes } from 'node:crypto'
import { mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

export type ClusterFolder = {
  readonly path: string
  readonly clusterId: string
  readonly brokers: number
  node(id: number): NodeFolder
}

/** Where one broker keeps what. */
export type NodeFolder = {
  readonly settingsFile: string
  readonly dataFolder: string
  /** Kafka makes it when the folder is formatted. */
  readonly formattedMark: string
  readonly logFile: string
  /** What Java itself prints, begun anew at each start. */
  readonly outputFile: string
}

type Kept = { readonly clusterId: string; readonly brokers: number }

/** Makes the folder at the first start, with as many brokers as are asked for; later ones find what is kept in it. */
export async function openClusterFolder(dataDir: string, brokers: number | undefined): Promise<ClusterFolder> {
  const wanted = resolve(dataDir)
  await mkdir(join(wanted, 'kafka'), { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`DATA_DIR: the folder ${wanted} cannot be written (${error.code}).`)
  })
  // Links are resolved, so that one folder has one name.
  const root = await realpath(wanted)
  const path = join(root, 'kafka')
  const kept = (await readKept(path)) ?? (await keep(path, brokers ?? 1))
  if (brokers !== undefined && brokers !== kept.brokers) {
    throw new Error(
      `${path} was made for ${kept.brokers === 1 ? 'one broker' : `${kept.brokers} brokers`}, which share its data: ` +
        `start it with --brokers ${kept.brokers}, or move it away to begin anew.`,
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
  // Under its name only when it is whole, because its data is of no use with another id.
  const file = join(path, 'cluster.json')
  await writeFile(`${file}.new`, `${JSON.stringify(kept)}\n`, { flush: true })
  await rename(`${file}.new`, file)
  return kept
}

/** Kafka's form of an id; one that begins with a dash would be taken for an option. */
function newClusterId(): string {
  const id = randomBytes(16).toString('base64url')
  return id.startsWith('-') ? newClusterId() : id
}
