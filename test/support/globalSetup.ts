import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import {
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../services/platform/postgres/embedded/embeddedPostgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

const folderPrefix = 'tollgate-test-'

const starting = new AbortController()
let server: EmbeddedPostgres | undefined
let dataDir: string | undefined

/** One Postgres for the whole run. It outlives no crash on purpose: tests that kill a database start their own. */
export async function setup(project: TestProject): Promise<void> {
  await removeLeftovers()
  // Vitest leaves on Ctrl-C without any teardown, and no asynchronous stop fits into an exit.
  process.once('exit', abandon)
  dataDir = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  server = await startEmbeddedPostgres({
    dataDir,
    signal: starting.signal,
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '200' },
  })
  project.provide('postgresUrl', server.url)
}

export async function teardown(): Promise<void> {
  await server?.stop()
  abandon()
  process.off('exit', abandon)
}

// The pid file knows of a server that is still starting, too.
function abandon(): void {
  starting.abort()
  if (!dataDir) return
  const pid = Number.parseInt(read(join(dataDir, 'postgres', 'postmaster.pid')), 10)
  if (pid > 0) process.kill(pid, 'SIGQUIT')
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  dataDir = undefined
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** What a run that was killed could not remove itself. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const owner = Number(new RegExp(`^${folderPrefix}(\\d+)-`).exec(name)?.[1])
    if (!owner || isAlive(owner)) continue
    const folder = join(tmpdir(), name)
    const left = await findEmbeddedPostgres(folder).catch(() => null)
    if (left) process.kill(left.pid, 'SIGQUIT')
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
