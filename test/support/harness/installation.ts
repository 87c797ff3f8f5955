import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findCluster, layout, readPassword } from '../../../platform/postgres/embedded/dataFolder.ts'
import { findEmbeddedPostgres } from '../../../platform/postgres/embedded/embeddedPostgres.ts'
import { findPostmaster } from '../../../platform/postgres/embedded/postmaster.ts'
import { sendSignal } from '../../../platform/postgres/embedded/sendSignal.ts'
import { processesOn } from '../databases/embeddedPostgresChild.ts'
import { onAbruptExit } from '../processes/exitSteps.ts'
import { type NpmExit, type NpmProcess, startNpm } from '../processes/npmProcess.ts'
import { reusablePorts } from '../processes/reusablePorts.ts'
import { PATIENCE } from '../time/patience.ts'
import { until } from '../time/until.ts'

/** The fields of `demo.json`. */
export const DEMO_FIELDS = [
  'gatewayUrl',
  'backendUrl',
  'consoleUrl',
  'signInUrl',
  'aiUrl',
  'sandboxUrl',
  'mailboxUrl',
  'companyId',
  'companyName',
  'apiKey',
  'adminEmail',
  'adminPassword',
  'adminToken',
  'superAdminEmail',
  'superAdminPassword',
  'superAdminToken',
  'auditorEmail',
  'auditorPassword',
  'internalToken',
  'webhookSecret',
  'logFile',
] as const
export type Demo = Readonly<Record<(typeof DEMO_FIELDS)[number], string>>

/** For tests that send more than the demo's limits allow. */
export const UNLIMITED: Readonly<Record<string, string>> = {
  IP_RPM: '0',
  DEMO_KEY_RPM: '1000000000',
  DEMO_KEY_TPM: '100000000000',
  DEMO_CREDITS: '1000000000',
}

const STOP_MS_MAX = 30_000 * PATIENCE
const GONE_MS_MAX = 60_000

/** A data folder with ports, on which `npm start` is run, killed and run again. */
export class Installation {
  readonly folder: string
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  /** How long each start took until it was ready. */
  readonly startSeconds: number[] = []
  readonly #callOff: () => void
  #npm: NpmProcess | null = null
  #demo: Demo | null = null
  #serverPid: number | null = null

  constructor(folder: string, ports: readonly number[], settings: Readonly<Record<string, string>>) {
    this.folder = folder
    this.dataDir = join(folder, 'data')
    const names = ['GATEWAY_PORT', 'BACKEND_PORT', 'AI_PORT', 'SANDBOX_PORT', 'SANDBOX_SMTP_PORT']
    const own = Object.fromEntries(names.map((name, n) => [name, String(ports[n])]))
    this.env = { ...own, DATA_DIR: this.dataDir, ...settings }
    this.#callOff = onAbruptExit(() => this.#abandon())
  }

  /** `demo.json` as of the last start: each start mints new tokens. */
  get demo(): Demo {
    if (!this.#demo) throw new Error('the installation was never ready')
    return this.#demo
  }

  get npm(): NpmProcess {
    if (!this.#npm) throw new Error('the installation was never started')
    return this.#npm
  }

  get pid(): number {
    return this.npm.pid
  }

  get outputLines(): readonly string[] {
    return this.npm.lines
  }

  get exitCode(): number | null {
    return this.npm.exit?.code ?? null
  }

  /** Runs `npm start` without waiting. */
  begin(uid?: number): NpmProcess {
    if (this.#npm && !this.#npm.exit) throw new Error('the installation runs already')
    this.#serverPid = null
    this.#npm = startNpm(['start'], { settings: this.env, ...(uid === undefined ? {} : { uid }) })
    return this.#npm
  }

  /** Starts or restarts it and waits until all services answer. */
  async startAgain(): Promise<void> {
    const began = performance.now()
    const npm = this.begin()
    await npm.line(/^See the charge:/)
    this.startSeconds.push((performance.now() - began) / 1000)
    this.#demo = JSON.parse(await readFile(join(this.dataDir, 'demo.json'), 'utf8')) as Demo
    this.#serverPid = await this.serverPid()
  }

  /** The Node process that runs all services, a child of npm. Postgres runs in its own process group. */
  async serverPid(): Promise<number> {
    const group = await this.npm.group()
    const server = group.find(({ command }) => command.includes('scripts/start.ts'))
    if (!server) throw new Error(`npm runs no server:\n${group.map(({ command }) => command).join('\n')}`)
    return server.pid
  }

  async postmasterPid(): Promise<number> {
    const clusterDir = await this.#clusterDir()
    const postmaster = clusterDir && (await findPostmaster(clusterDir))
    if (!postmaster) throw new Error(`no Postgres runs on ${this.dataDir}`)
    return postmaster
  }

  /** Kills the server only: Postgres becomes an orphan. */
  async kill9(): Promise<NpmExit> {
    sendSignal(this.#serverPid ?? (await this.serverPid()), 'SIGKILL')
    return this.npm.exited
  }

  /** Kills the server and Postgres, as a crash of the machine does. */
  async kill9WithPostgres(): Promise<NpmExit> {
    const clusterDir = await this.#clusterDir()
    const postmaster = clusterDir && (await findPostmaster(clusterDir))
    sendSignal(this.#serverPid ?? (await this.serverPid()), 'SIGKILL')
    if (postmaster) sendSignal(postmaster, 'SIGKILL')
    return this.npm.exited
  }

  /** Ctrl-C in a terminal: it reaches npm and the server alike. */
  async interrupt(): Promise<NpmExit> {
    this.npm.signalGroup('SIGINT')
    return this.npm.exited
  }

  /** SIGTERM to npm, as a supervisor sends it. */
  async terminate(): Promise<NpmExit> {
    sendSignal(this.pid, 'SIGTERM')
    return this.npm.exited
  }

  async databaseUrl(): Promise<string> {
    const found = await findEmbeddedPostgres(this.dataDir)
    if (!found) throw new Error(`no Postgres runs on ${this.dataDir}`)
    return found.url
  }

  /** The command lines of processes that still run in npm's group or on the cluster. */
  async processesLeft(): Promise<string[]> {
    const group = (await this.#npm?.group()) ?? []
    const clusterDir = await this.#clusterDir()
    // A cluster that initdb is still creating is at the path of the finished one.
    const onCluster = await processesOn(clusterDir ?? join(this.dataDir, 'postgres'))
    return [...group.map(({ command }) => command), ...onCluster]
  }

  /** Stops it in any state and removes its processes and folder. */
  async stop(): Promise<void> {
    if (this.#npm && !this.#npm.exit) {
      this.#npm.signalGroup('SIGINT')
      const timer = setTimeout(() => this.#npm?.signalGroup('SIGKILL'), STOP_MS_MAX)
      await this.#npm.exited
      clearTimeout(timer)
    }
    const clusterDir = await this.#clusterDir()
    const orphan = clusterDir && (await findPostmaster(clusterDir))
    if (orphan) sendSignal(orphan, 'SIGQUIT')
    await until('no process is left', async () => (await this.processesLeft()).length === 0, GONE_MS_MAX)
    this.#callOff()
    if (clusterDir && !clusterDir.startsWith(this.folder)) await rm(dirname(clusterDir), { recursive: true })
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 })
  }

  async #clusterDir(): Promise<string | null> {
    try {
      const folder = await layout(this.dataDir)
      return await findCluster(folder, await readPassword(folder))
    } catch {
      return null
    }
  }

  /** Without waiting: the set-up of the next run removes what remains. */
  #abandon(): void {
    try {
      const pidFile = readFileSync(join(this.dataDir, 'postgres', 'postmaster.pid'), 'utf8')
      sendSignal(Number.parseInt(pidFile, 10), 'SIGQUIT')
    } catch {
      // No Postgres runs.
    }
  }
}

/** A new, empty installation that is not started yet. The caller stops it. */
export async function makeInstallation(settings: Readonly<Record<string, string>> = {}): Promise<Installation> {
  // If this run is killed, the set-up of a later run recognises the folder by its name.
  const folder = await mkdtemp(join(tmpdir(), `tollgate-test-${process.pid}-`))
  return new Installation(folder, await reusablePorts(5), settings)
}

export async function startInstallation(settings: Readonly<Record<string, string>> = {}): Promise<Installation> {
  const installation = await makeInstallation(settings)
  try {
    await installation.startAgain()
    return installation
  } catch (error) {
    await installation.stop()
    throw error
  }
}
