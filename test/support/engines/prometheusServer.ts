import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { stringify } from 'yaml'
import { PROMETHEUS_FOLDER, prometheusConfig } from '../cases/monitoringFiles.ts'
import { onAbruptExit } from '../processes/exitSteps.ts'
import { reusablePorts } from '../processes/reusablePorts.ts'
import { until } from '../time/until.ts'
import { type MissingEngine, withoutEngine } from './engineOffer.ts'

const programs = ['prometheus', 'promtool']
const absent = programs.filter((program) => spawnSync(program, ['--version']).status !== 0)

/** Why Prometheus cannot run on this machine; null if it can. */
const missingPrometheus: MissingEngine | null =
  absent.length === 0 ? null : { missing: `${absent.join(' and ')} cannot be run (Debian: prometheus)` }

/** A suite that needs Prometheus and promtool. If they are missing, it is a single test that says so. */
export function describeWithPrometheus(name: string, suite: () => void): void {
  if (missingPrometheus === null) return void describe(name, suite)
  test(name, (context) => withoutEngine(context, missingPrometheus))
}

/** The scrape and evaluation interval in tests. */
const INTERVAL = '2s'
/** An alert fires after it was pending for this long, regardless of its rule. */
const PENDING = '1s'

export type PrometheusOptions = {
  /** The addresses of each job, as `host:port`. A job without any is not scraped. */
  readonly targets: Readonly<Record<string, readonly string[]>>
  readonly token: string
}

export type FiringAlert = { readonly labels: Readonly<Record<string, string>>; readonly state: string }

/** A real Prometheus with the configuration and the rules of `deploy/`, except for addresses and times. */
export class PrometheusServer {
  readonly url: string
  readonly #folder: string
  readonly #process: ChildProcess
  readonly #callOff: () => void

  constructor(url: string, folder: string, process: ChildProcess) {
    this.url = url
    this.#folder = folder
    this.#process = process
    this.#callOff = onAbruptExit(() => process.kill('SIGKILL'))
  }

  async get<Data>(path: string, query: Readonly<Record<string, string>> = {}): Promise<Data> {
    const response = await fetch(`${this.url}/api/v1/${path}?${new URLSearchParams(query)}`)
    const { status, data, error } = (await response.json()) as { status: string; data: Data; error?: string }
    if (status !== 'success') throw new Error(`${path} ${JSON.stringify(query)}: ${error}`)
    return data
  }

  /** The labels of each firing alert. */
  async firing(): Promise<Readonly<Record<string, string>>[]> {
    const { alerts } = await this.get<{ alerts: FiringAlert[] }>('alerts')
    return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels)
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const ended = once(this.#process, 'exit')
      this.#process.kill('SIGKILL')
      await ended
    }
    this.#callOff()
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

export async function startPrometheus(options: PrometheusOptions): Promise<PrometheusServer> {
  const [port] = await reusablePorts(1)
  const folder = await mkdtemp(join(tmpdir(), `tollgate-test-${process.pid}-`))
  await writeConfig(folder, options)
  const args = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=127.0.0.1:${port}`]
  const child = spawn('prometheus', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.on('data', (bytes: Buffer) => {
    log = (log + bytes.toString()).slice(-10_000)
  })
  const server = new PrometheusServer(`http://127.0.0.1:${port}`, folder, child)
  await until('Prometheus is ready', async () => {
    if (child.exitCode !== null) throw new Error(`prometheus ended with ${child.exitCode}: ${log}`)
    return (await fetch(`${server.url}/-/ready`).catch(() => null))?.ok
  }).catch(async (error: unknown) => {
    await server.stop()
    throw error
  })
  return server
}

async function writeConfig(folder: string, { targets, token }: PrometheusOptions): Promise<void> {
  const rules = join(folder, 'rules')
  await cp(join(PROMETHEUS_FOLDER, 'rules'), rules, { recursive: true })
  for (const name of await readdir(rules)) {
    const text = await readFile(join(rules, name), 'utf8')
    await writeFile(join(rules, name), text.replaceAll(/^( +for): \w+$/gm, `$1: ${PENDING}`))
  }
  await writeFile(join(folder, 'token'), token)
  const { scrape_configs: jobs, ...config } = prometheusConfig()
  const shortened = {
    ...config,
    global: { scrape_interval: INTERVAL, scrape_timeout: INTERVAL, evaluation_interval: INTERVAL },
    rule_files: ['rules/*.yml'],
    scrape_configs: jobs.map(({ dns_sd_configs: _, authorization: __, ...job }) => ({
      ...job,
      authorization: { credentials_file: 'token' },
      static_configs: [{ targets: targets[job.job_name] ?? [] }],
    })),
  }
  await writeFile(join(folder, 'prometheus.yml'), stringify(shortened))
}
