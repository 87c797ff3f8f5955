import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findEmbeddedPostgres } from '../../../platform/postgres/embedded/embeddedPostgres.ts'
import { listProcesses } from '../../../platform/postgres/embedded/processTable.ts'
import { sendSignal } from '../../../platform/postgres/embedded/sendSignal.ts'
import type { RunningProcess } from '../../../scripts/stack/supervisor.ts'
import { type NpmProcess, startNpm } from '../processes/npmProcess.ts'
import { reusablePorts } from '../processes/reusablePorts.ts'
import { until } from '../time/until.ts'
import { type Demo, UNLIMITED } from './installation.ts'

const PORTS = ['GATEWAY', 'BACKEND', 'AI', 'SANDBOX', 'SANDBOX_SMTP', 'PROJECTOR', 'REACTOR', 'RELAY'].map(
  (name) => `${name}_PORT`,
)
const readyMsMax = 90_000

/** A data folder with ports, on which `npm run stack` is run. */
export class Stack {
  readonly npm: NpmProcess
  readonly dataDir: string
  readonly #folder: string

  constructor(npm: NpmProcess, folder: string) {
    this.npm = npm
    this.#folder = folder
    this.dataDir = join(folder, 'data')
  }

  async ready(): Promise<void> {
    await this.npm.line(/^See the charge:/, readyMsMax)
  }

  async demo(): Promise<Demo> {
    return JSON.parse(await readFile(join(this.dataDir, 'demo.json'), 'utf8'))
  }

  /** Those that run now, by what the stack says. */
  async processes(): Promise<RunningProcess[]> {
    return (await this.#file()).processes
  }

  async supervisorPid(): Promise<number> {
    return (await this.#file()).supervisor
  }

  async processNamed(name: string): Promise<RunningProcess> {
    return until(`there is ${name}`, async () => (await this.processes()).find((process) => process.name === name))
  }

  /** What of these, and of the database and npm, runs still. */
  async left(processes: readonly RunningProcess[]): Promise<string[]> {
    const pids = new Set(processes.map(({ pid }) => pid))
    const running = (await listProcesses()).filter(({ pid }) => pids.has(pid))
    const database = await findEmbeddedPostgres(this.dataDir)
    const commands = [...running, ...(await this.npm.group())].map(({ command }) => command)
    return database ? [...commands, `postgres ${database.pid}`] : commands
  }

  /** Ends it whatever state it is in. */
  async stop(): Promise<void> {
    const processes = await this.processes().catch(() => [])
    if (!this.npm.exit) this.npm.signalGroup('SIGINT')
    await this.npm.exited
    for (const { pid } of processes) sendSignal(pid, 'SIGKILL')
    const database = await findEmbeddedPostgres(this.dataDir)
    if (database) sendSignal(database.pid, 'SIGQUIT')
    await until('no process is left', async () => (await this.left(processes)).length === 0)
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 })
  }

  async #file(): Promise<{ supervisor: number; processes: RunningProcess[] }> {
    return JSON.parse(await readFile(join(this.dataDir, 'stack.json'), 'utf8'))
  }
}

/** Runs the command and waits for nothing. The caller stops it. */
export async function beginStack(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), `tollgate-test-${process.pid}-`))
  const ports = await reusablePorts(PORTS.length)
  const own = Object.fromEntries(PORTS.map((name, n) => [name, String(ports[n])]))
  const env = { ...UNLIMITED, ...own, DATA_DIR: join(folder, 'data'), ...settings }
  return new Stack(startNpm(['run', 'stack', '--', ...args], { settings: env }), folder)
}
