import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { findBinaries } from '../../../platform/postgres/embedded/binaries.ts'
import { type DataFolder, findCluster, layout, readPassword } from '../../../platform/postgres/embedded/dataFolder.ts'
import { startEmbeddedPostgres } from '../../../platform/postgres/embedded/embeddedPostgres.ts'
import { launch } from '../../../platform/postgres/embedded/launcher.ts'
import { clearAfterCrash, clusterNameOf, stopPostmaster } from '../../../platform/postgres/embedded/postmaster.ts'
import { launcherOf } from '../../../platform/postgres/embedded/rootUser.ts'
import { sendSignal } from '../../../platform/postgres/embedded/sendSignal.ts'
import { onAbruptExit } from '../processes/exitSteps.ts'
import { reusablePorts } from '../processes/reusablePorts.ts'
import { until } from '../time/until.ts'

const startMsMax = 60_000

/**
 * A Postgres server from the embedded binaries that keeps its port when it is killed and restarted, so that others can be
 * configured with it. The embedded server takes any free port.
 */
export class FixedPortPostgres {
  readonly url: string
  readonly #folder: DataFolder
  readonly #clusterDir: string
  readonly #settings: Readonly<Record<string, string>>
  #child: ChildProcess | null = null
  #callOff: () => void = () => {}

  constructor(url: string, folder: DataFolder, clusterDir: string, settings: Readonly<Record<string, string>>) {
    this.url = url
    this.#folder = folder
    this.#clusterDir = clusterDir
    this.#settings = settings
  }

  /** Starts or restarts the server and waits until it accepts statements. */
  async start(): Promise<void> {
    await clearAfterCrash(this.#clusterDir)
    const launcher = await launcherOf(await findBinaries(), this.#folder, this.#clusterDir)
    const settings = {
      ...this.#settings,
      port: new URL(this.url).port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      cluster_name: clusterNameOf(this.#clusterDir),
      logging_collector: 'off',
    }
    const assignments = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const server = launch(launcher, launcher.binaries.postgres, ['-D', this.#clusterDir, ...assignments])
    const child = spawn(server.command, server.args, { ...server.options, cwd: '/', detached: true, stdio: 'ignore' })
    this.#child = child
    this.#callOff = onAbruptExit(() => this.#send('SIGQUIT'))
    await once(child, 'spawn')
    await until('Postgres answers', () => this.#answers(), startMsMax)
  }

  /** Kills the postmaster, as a crash of the machine does. Its children notice and end. */
  async kill(): Promise<void> {
    const child = this.#child
    if (!child || hasEnded(child)) return
    const exited = once(child, 'exit')
    this.#send('SIGKILL')
    await exited
    this.#callOff()
  }

  /** Removes the process and its data. */
  async remove(): Promise<void> {
    const child = this.#child
    if (child && !hasEnded(child)) await stopPostmaster(child.pid ?? 0, this.#clusterDir)
    await clearAfterCrash(this.#clusterDir)
    this.#callOff()
    if (!this.#clusterDir.startsWith(this.#folder.path)) await rm(dirname(this.#clusterDir), { recursive: true })
    await rm(dirname(this.#folder.path), { recursive: true, force: true, maxRetries: 10 })
  }

  #send(signal: NodeJS.Signals): void {
    const child = this.#child
    if (child?.pid !== undefined && !hasEnded(child)) sendSignal(child.pid, signal)
  }

  async #answers(): Promise<boolean> {
    if (!this.#child || hasEnded(this.#child)) throw new Error('Postgres ended while it was starting')
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 1_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }
}

/** The caller removes it. */
export async function startFixedPortPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<FixedPortPostgres> {
  // If this run is killed, the set-up of a later run recognises this name and cleans up.
  const dataDir = join(await mkdtemp(join(tmpdir(), `tollgate-test-${process.pid}-`)), 'data')
  // Makes the cluster and its database.
  const founded = await startEmbeddedPostgres({ dataDir })
  await founded.stop()
  const folder = await layout(dataDir)
  const clusterDir = await findCluster(folder, await readPassword(folder))
  if (clusterDir === null) throw new Error(`no cluster was made in ${dataDir}`)
  const url = new URL(founded.url)
  url.port = String((await reusablePorts(1))[0])
  const server = new FixedPortPostgres(url.href, folder, clusterDir, settings)
  try {
    await server.start()
    return server
  } catch (error) {
    await server.remove()
    throw error
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
