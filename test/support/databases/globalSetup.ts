import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import {
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../platform/postgres/embedded/embeddedPostgres.ts'
import { sendSignal } from '../../../platform/postgres/embedded/sendSignal.ts'
import { createTemplates } from './templateDatabases.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

const folderPrefix = 'tollgate-test-'

/** Files in memory: thousands of databases are copied and dropped, each with hundreds of files. */
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES_MIN = 6 * 1024 ** 3

const starting = new AbortController()
let server: EmbeddedPostgres | undefined
let dataDir: string | undefined

/** One Postgres for the whole run, without fsync: tests that kill a database start their own. */
export async function setup(project: TestProject): Promise<void> {
  await removeLeftovers()
  // Vitest exits on Ctrl-C without a teardown, and an exit handler cannot wait for an asynchronous stop.
  process.once('exit', abandon)
  dataDir = mkdtempSync(join(hasMemory() ? MEMORY_FOLDER : tmpdir(), `${folderPrefix}${process.pid}-`))
  server = await startEmbeddedPostgres({
    dataDir,
    signal: starting.signal,
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '200' },
  })
  await createTemplates(server.url)
  project.provide('postgresUrl', server.url)
}

export async function teardown(): Promise<void> {
  await server?.stop()
  abandon()
  process.off('exit', abandon)
}

/** A container often has only 64 MiB of it. */
function hasMemory(): boolean {
  if (!existsSync(MEMORY_FOLDER) || freemem() < MEMORY_BYTES_MIN) return false
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return bavail * bsize >= MEMORY_BYTES_MIN
}

function abandon(): void {
  starting.abort()
  if (dataDir) removeServer(dataDir)
  dataDir = undefined
}

/** Synchronous. A server that is still starting has a pid file too, and removes it last. */
function removeServer(folder: string): void {
  const pidFile = join(folder, 'postgres', 'postmaster.pid')
  const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : 0
  if (pid > 0) sendSignal(pid, 'SIGQUIT')
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let tries = 0; tries < 300 && existsSync(pidFile); tries += 1) Atomics.wait(pause, 0, 0, 10)
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

/** Cleans up after a killed run: its server, and servers of single tests in a folder named data. */
async function removeLeftovers(): Promise<void> {
  const folders = [tmpdir(), MEMORY_FOLDER].filter((folder) => existsSync(folder))
  const names = folders.flatMap((folder) => readdirSync(folder).map((name) => ({ folder: join(folder, name), name })))
  for (const { folder, name } of names) {
    const owner = Number(new RegExp(`^${folderPrefix}(\\d+)-`).exec(name)?.[1])
    if (!owner || isAlive(owner)) continue
    for (const candidate of [folder, join(folder, 'data')]) {
      const isRunning = await findEmbeddedPostgres(candidate).catch(() => null)
      if (isRunning) removeServer(candidate)
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
