import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { freePort } from './freePort.ts'
import { type Launcher, launch } from './launcher.ts'
import { clusterNameOf } from './postmaster.ts'

const logBytesMax = 16 * 1024 * 1024
const logTailBytes = 16 * 1024
/** Refused connections of clients that do not wait for the server to start. */
const REFUSED_CONNECTION = /FATAL: +the database system is /

/** For one program with two threads, like npm start, and commands alongside it; see "../connectionLimits.ts" for more. */
export const CONNECTIONS_DEFAULT = 100

const defaults: Record<string, string> = {
  fsync: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  // Starting workers takes longer than a typical query, and the calls need the other cores.
  max_parallel_workers_per_gather: '0',
  max_connections: String(CONNECTIONS_DEFAULT),
  max_wal_size: '1GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

export type SpawnedServer = {
  readonly pid: number
  /** Why it ended, from its log. */
  reason(): Promise<string>
}

/** Spawns a postmaster, which does not accept connections yet. Without a port it gets a free one. */
export async function spawnServer(
  clusterDir: string,
  launcher: Launcher,
  logFile: string,
  settings: Record<string, string>,
  port?: number,
): Promise<SpawnedServer> {
  const log = await openLog(logFile)
  try {
    const { size: logStart } = await log.stat()
    const merged = {
      ...defaults,
      ...settings,
      port: String(port ?? (await freePort())),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      cluster_name: clusterNameOf(clusterDir),
    }
    const assignments = Object.entries(merged).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const server = launch(launcher, launcher.binaries.postgres, ['-D', clusterDir, ...assignments])
    // Its own session, so that Ctrl-C reaches only this process, which stops the database after the drain.
    const child = spawn(server.command, server.args, {
      ...server.options,
      cwd: '/',
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    await once(child, 'spawn')
    child.unref()
    if (child.pid === undefined) throw new Error('The spawned process has no pid.')
    return { pid: child.pid, reason: () => readReason(logFile, logStart) }
  } catch (error) {
    throw new Error(`PostgreSQL could not be run: ${(error as Error).message}`, { cause: error })
  } finally {
    await log.close()
  }
}

async function openLog(logFile: string): Promise<FileHandle> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (size > logBytesMax) await rename(logFile, `${logFile}.1`)
  return open(logFile, 'a', 0o600)
}

async function readReason(logFile: string, from: number): Promise<string> {
  const log = await open(logFile)
  try {
    const { size } = await log.stat()
    const start = Math.max(from, size - logTailBytes)
    const { buffer, bytesRead } = await log.read(Buffer.alloc(logTailBytes), 0, logTailBytes, start)
    const text = buffer.toString('utf8', 0, bytesRead).trimEnd()
    const lines = text.split('\n').filter((line) => !REFUSED_CONNECTION.test(line))
    const fault = lines.findLast((line) => /\b(FATAL|PANIC):/.test(line)) ?? lines.at(-1)
    return fault?.replace(/^.*?(?=FATAL|PANIC)/, '').trim() || 'the log has no message'
  } finally {
    await log.close()
  }
}
