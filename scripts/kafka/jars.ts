import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { takeTurn } from '../../platform/postgres/embedded/startTurn.ts'
import { runMaven } from './maven.ts'

export type FetchOptions = {
  /** Called with a line about the progress of a download. */
  readonly onProgress?: (line: string) => void
  readonly signal?: AbortSignal | undefined
  readonly cacheFolder?: string
}

const pomFile = join(import.meta.dirname, 'pom.xml')
const pom = readFileSync(pomFile, 'utf8')
const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'

export const kafkaVersion = /kafka_2\.13<\/artifactId><version>([\d.]+)</.exec(pom)?.[1] ?? 'of no known version'

const sharedCache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'kafka')

/** Returns the folder with Kafka's jars and their dependencies. Maven downloads them if it does not exist yet. */
export async function kafkaJars(options: FetchOptions = {}): Promise<string> {
  const { cacheFolder = sharedCache, signal } = options
  const folder = join(cacheFolder, createHash('sha256').update(pom).digest('hex').slice(0, 12))
  if (existsSync(folder)) return folder
  await mkdir(cacheFolder, { recursive: true })
  // Two Maven processes must not write the same file of its local repository at once.
  const endTurn = await takeTurn(folder, signal).catch((error: unknown) => {
    signal?.throwIfAborted()
    throw new Error('Another process is still downloading Kafka: try again when it has finished.', { cause: error })
  })
  try {
    if (!existsSync(folder)) await fetchInto(folder, options)
  } finally {
    endTurn()
  }
  return folder
}

/** The folder is created atomically: it is renamed once it contains the last jar. */
async function fetchInto(folder: string, { onProgress = () => {}, signal }: FetchOptions): Promise<void> {
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  onProgress(`Downloading Apache Kafka ${kafkaVersion} with Maven, once: about 45 MB.`)
  const args = ['-f', pomFile, copyDependencies, '-DincludeScope=runtime', `-DoutputDirectory=${partial}`]
  let fetched = 0
  await runMaven(args, {
    signal,
    onFetched: (name) => {
      fetched += 1
      onProgress(`  ${fetched} files, ${name}`)
    },
  })
  const jars = await readdir(partial)
  if (!jars.includes(`kafka_2.13-${kafkaVersion}.jar`))
    throw new Error(`Maven succeeded but left no Kafka jar in ${partial}.`)
  await rename(partial, folder)
}
