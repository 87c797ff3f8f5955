import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { systemClock } from '../../platform/clock/clock.ts'
import { settlesWithin, within } from '../../platform/clock/within.ts'
import { freePorts } from '../freePorts.ts'

type Started = ChildProcessByStdio<null, Readable, Readable>

const READY_MS_MAX = 120_000
const STOP_MS_MAX = 60_000
const READY_LINE = 'Tollgate is ready.'
const PORT_SETTINGS = ['GATEWAY_PORT', 'BACKEND_PORT', 'AI_PORT', 'SANDBOX_PORT', 'SANDBOX_SMTP_PORT'] as const

/**
 * Runs `npm start` in a checkout like a newcomer after `npm ci`: without a compile cache and without data. Returns the
 * milliseconds until the ready line is printed.
 */
export async function measureFirstStart(checkout: string): Promise<number> {
  await rm(join(checkout, 'node_modules', '.cache', 'compile'), { recursive: true, force: true })
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-bench-start-'))
  try {
    return await measureStart(checkout, { DATA_DIR: join(dataDir, 'data') })
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

/** Runs `npm start` with the settings until it is ready. Returns the milliseconds that it took. */
export async function measureStart(checkout: string, settings: Readonly<Record<string, string>>): Promise<number> {
  const { readyMs, stop } = await startInstallation(checkout, settings)
  await stop()
  return readyMs
}

export type StartedInstallation = {
  /** From its start to the ready line. */
  readonly readyMs: number
  /** Of `npm`, whose descendants are the programs of the installation. */
  readonly pid: number
  stop(): Promise<void>
}

/** Runs `npm start` with the settings, on free ports, and resolves when it is ready. */
export async function startInstallation(
  checkout: string,
  settings: Readonly<Record<string, string>>,
): Promise<StartedInstallation> {
  const ports = await freePorts(PORT_SETTINGS.length)
  const portSettings = Object.fromEntries(PORT_SETTINGS.map((name, index) => [name, String(ports[index])]))
  const startedAtMs = systemClock.monotonicMs()
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    env: { ...inheritedEnvironment(), ...portSettings, ...settings },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    await within(readyLine(child), READY_MS_MAX, systemClock)
    return { readyMs: systemClock.monotonicMs() - startedAtMs, pid: child.pid ?? 0, stop: () => stop(child) }
  } catch (error) {
    await stop(child)
    throw error
  }
}

/** The environment of a shell: without what npm added for the benchmark itself, above all its folder of programs. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') && name !== 'NODE')
  const folders = (process.env.PATH ?? '').split(delimiter)
  const PATH = folders.filter((folder) => !/node_modules[/\\]/.test(folder)).join(delimiter)
  return { ...Object.fromEntries(inherited), PATH }
}

async function readyLine(child: Started): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let output = ''
  const read = (chunk: Buffer) => {
    output += chunk.toString()
    if (output.includes(READY_LINE)) resolve()
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  child.once('error', reject)
  child.once('exit', (code) => reject(new Error(`npm start ended with exit code ${code}:\n${output}`)))
  await promise
}

/** Drains, so that no database is left behind. Whatever does not end in time is killed with its process group. */
async function stop(child: Started): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  const exited = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  if (!(await settlesWithin(exited, STOP_MS_MAX, systemClock))) process.kill(-child.pid, 'SIGKILL')
}
