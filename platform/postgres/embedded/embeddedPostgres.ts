import { dirname, resolve } from 'node:path'
import { findBinaries } from './binaries.ts'
import { type ClusterWatch, makeCluster, removeHalfMade, superuser } from './cluster.ts'
import {
  clusterInside,
  type DataFolder,
  findCluster,
  layout,
  makePassword,
  openDataFolder,
  readPassword,
  writeNamed,
} from './dataFolder.ts'
import { type Claim, claimServer, database } from './ownership.ts'
import { clearAfterCrash, findPostmaster, killPostmaster, readPidFile, stopPostmaster } from './postmaster.ts'
import { commandOf } from './processTable.ts'
import { launcherOf, placeNewCluster } from './rootUser.ts'
import { spawnServer } from './server.ts'
import { takeTurn } from './startTurn.ts'

export type EmbeddedPostgres = {
  readonly url: string
  readonly pid: number
  readonly adopted: boolean
  /** Resolves when the server has ended, or has dropped the session by which this process owns it. */
  readonly lost: Promise<void>
  /** Stops the server and all its processes. */
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  readonly dataDir: string
  /** How many connections the server must allow. Default: what npm start needs. */
  readonly connectionsMin?: number
  /** Added to the defaults. An adopted server keeps its original settings. */
  readonly settings?: Record<string, string>
  /** The required port. Without it, a new server gets a free one, and an adopted one keeps its own. */
  readonly port?: number
  readonly signal?: AbortSignal
  /** Called once a PostgreSQL process is running: from then on this start mostly waits for it. */
  readonly onSpawn?: () => void
}

type Cluster = {
  readonly folder: DataFolder
  readonly clusterDir: string
  readonly password: string
}

// A port taken in the meantime, or a concurrent start by another process, does not fail the next attempt.
const attemptsMax = 3
const orphanSilentMsMax = 3_000
const startSilentMsMax = 60_000

/** Starts the cluster in dataDir, or adopts one that a killed process left running. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  options.signal?.throwIfAborted()
  const folder = await openDataFolder(options.dataDir)
  const endTurn = await takeTurn(folder.path, options.signal)
  try {
    return await startOrAdopt(folder, options)
  } finally {
    endTurn()
  }
}

async function startOrAdopt(
  folder: DataFolder,
  { connectionsMin, settings: given = {}, port, signal, onSpawn }: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const settings = connectionsMin === undefined ? given : { max_connections: String(connectionsMin), ...given }
  const cluster = await openCluster(folder, { signal, onSpawn })
  let reason = ''
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const adopted = await adopt(cluster, { port, connectionsMin, signal })
    if (adopted !== null) return adopted
    await clearAfterCrash(cluster.clusterDir)
    const launcher = await launcherOf(await findBinaries(), folder, cluster.clusterDir)
    const spawned = await spawnServer(cluster.clusterDir, launcher, folder.logFile, settings, port)
    onSpawn?.()
    const claim = await claimSpawned(spawned.pid, cluster, signal)
    if (claim.kind === 'owned') return owned(claim, spawned.pid, cluster, false)
    reason = claim.kind === 'gone' ? await spawned.reason() : 'the server did not answer'
  }
  throw new Error(`PostgreSQL did not start on ${cluster.clusterDir}: ${reason}. Its log: ${folder.logFile}`)
}

/** The address of a server that runs on this dataDir, or null; for commands alongside a running `npm start`. */
export async function findEmbeddedPostgres(dataDir: string): Promise<{ url: string; pid: number } | null> {
  const folder = await layout(resolve(dataDir)).catch(() => null)
  if (folder === null) return null
  const password = await readPassword(folder)
  if (password === null) return null
  const clusterDir = await findCluster(folder, password)
  if (clusterDir === null) return null
  const pid = await findPostmaster(clusterDir)
  const file = await readPidFile(clusterDir)
  if (pid === null || file?.pid !== pid || file.status !== 'ready') return null
  return { url: urlOf(file.port, password), pid }
}

async function openCluster(folder: DataFolder, watch: ClusterWatch): Promise<Cluster> {
  const known = await readPassword(folder)
  const found = await findCluster(folder, known)
  if (found !== null && known === null) {
    throw new Error(
      `The password file ${folder.passwordFile} of the cluster ${found} is missing: ` +
        'restore it, or move the data folder away to start over.',
    )
  }
  const password = known ?? (await makePassword(folder))
  const clusterDir = found ?? (await newCluster(folder, password, watch))
  if (found !== null) await removeHalfMade(dirname(found))
  if (clusterDir !== clusterInside(folder)) await writeNamed(folder.locationFile, `${clusterDir}\n`, 0o666)
  return { folder, clusterDir, password }
}

async function newCluster(folder: DataFolder, password: string, watch: ClusterWatch): Promise<string> {
  const { launcher, clusterDir } = await placeNewCluster(await findBinaries(), folder, password)
  await removeHalfMade(dirname(clusterDir))
  await makeCluster(clusterDir, launcher, password, watch)
  return clusterDir
}

async function adopt(
  cluster: Cluster,
  { port, connectionsMin = 0, signal }: Pick<EmbeddedPostgresOptions, 'port' | 'connectionsMin' | 'signal'>,
): Promise<EmbeddedPostgres | null> {
  const { clusterDir } = cluster
  const pid = await findPostmaster(clusterDir)
  if (pid === null) return null
  const claim = await claimServer({ ...cluster, pid, silentMsMax: orphanSilentMsMax, signal })
  if (claim.kind === 'owned') {
    const server = owned(claim, pid, cluster, true)
    const isUsable = (port === undefined || claim.port === port) && (await connectionsOf(pid)) >= connectionsMin
    if (isUsable) return server
    await server.stop()
  }
  if (claim.kind === 'ownedByOther') throw inUse(claim.owner, cluster)
  if (claim.kind === 'silent') await killPostmaster(pid, clusterDir)
  return null
}

/** The number of connections that a server was started with, from its command line. */
async function connectionsOf(pid: number): Promise<number> {
  return Number(/ max_connections=(\d+) /.exec(await commandOf(pid))?.[1] ?? 0)
}

// A server of ours that cannot be claimed must not keep running, unless another process has claimed it.
async function claimSpawned(pid: number, cluster: Cluster, signal?: AbortSignal): Promise<Claim> {
  const claim = await claimServer({ ...cluster, pid, silentMsMax: startSilentMsMax, signal }).catch(async (error) => {
    await stopPostmaster(pid, cluster.clusterDir)
    throw error
  })
  if (claim.kind === 'ownedByOther') throw inUse(claim.owner, cluster)
  if (claim.kind === 'silent') await killPostmaster(pid, cluster.clusterDir)
  return claim
}

function owned(
  { port, lost, release }: Extract<Claim, { kind: 'owned' }>,
  pid: number,
  { clusterDir, password }: Cluster,
  adopted: boolean,
): EmbeddedPostgres {
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= stopPostmaster(pid, clusterDir).finally(release)
    return stopping
  }
  return { url: urlOf(port, password), pid, adopted, lost, stop }
}

function inUse(owner: string, { folder }: Cluster): Error {
  return new Error(
    `The data folder ${folder.path} is in use by ${owner}: stop that process, or set DATA_DIR to another folder.`,
  )
}

function urlOf(port: number, password: string): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`
}
