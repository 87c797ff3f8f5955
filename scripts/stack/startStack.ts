import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRuntime } from '../../capabilities/installation.ts'
import { currentVkey } from '../../capabilities/transparency/signingKeys.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { drainMsMax } from '../../platform/drainLimit.ts'
import { unwritable } from '../../platform/files/atomicFile.ts'
import { listen } from '../../platform/http/httpServer.ts'
import { openLog } from '../../platform/logger/logger.ts'
import { connectionsFor } from '../../platform/postgres/connectionLimits.ts'
import type { Secrets } from '../../platform/secrets/generatedSecrets.ts'
import { type Addresses, bannerOf, writeDemo } from '../start/announce.ts'
import { checkSettings } from '../start/checkSettings.ts'
import type { DemoUsers } from '../start/demoUsers.ts'
import { openConfiguredDatabase } from '../start/openDatabase.ts'
import { prepareInstallation } from '../start/prepareInstallation.ts'
import { type Closers, type RunningInstallation, startInSteps } from '../start/runInstallation.ts'
import { type Counts, type PlannedProcess, planStack } from './plan.ts'
import { type RunningProcess, Supervisor } from './supervisor.ts'

const KILL_MARGIN_MS = 1_000
const STOP_MS_MAX = 20_000

/** Starts every service as a separate process, supervised by this one. */
export async function startStack(
  config: Config,
  counts: Counts,
  signal: AbortSignal,
): Promise<RunningInstallation | null> {
  checkSettings(config)
  const plan = planStack(config, counts)
  await requireFreePorts(config.HOST, plan.flat())
  return startInSteps(signal, async (closers) => {
    const logFile = join(config.DATA_DIR, 'logs', 'tollgate.log')
    // Each process has its own engines.
    const connectionsMin = connectionsFor(plan.flat().length)
    const { url: databaseUrl, logTo } = await openConfiguredDatabase(config, signal, closers, { connectionsMin })
    const { demo, secrets, logVkey } = await prepare(config, databaseUrl, logFile, signal)
    const log = openStackLog(logFile, config.LOG_LEVEL)
    closers.push(async () => log.close())
    logTo((line) => log.add('postgres', line))
    const supervisor = supervise(config, log.add, closers)
    const programs = plan.map((tier) => tier.map((planned) => programOf(planned, config, databaseUrl)))
    await supervisor.start(programs, signal)
    const addresses = addressesOf(plan.flat())
    if (demo) {
      const nowMs = systemClock.now()
      await writeDemo({ dataDir: config.DATA_DIR, secrets, nowMs, logVkey }, demo, addresses, logFile)
    }
    const headline = `Tollgate is ready: ${plan.flat().length} processes, supervised by this one.`
    const stopMsMax = plan.length * drainMsOf(config) + STOP_MS_MAX
    return { banner: bannerOf(headline, addresses, demo, logFile), stopMsMax }
  })
}

/** Opens the engines only for the preparation: afterwards only the services use them. */
async function prepare(
  config: Config,
  databaseUrl: string,
  logFile: string,
  signal: AbortSignal,
): Promise<{ demo: DemoUsers | null; secrets: Secrets; logVkey: string }> {
  const runtime = await openRuntime({ config, database: databaseUrl, log: logFile, name: 'stack' })
  try {
    const demo = await prepareInstallation(runtime, signal)
    return { demo, secrets: runtime.secrets, logVkey: await currentVkey(runtime.engines.database, config) }
  } finally {
    await runtime.close()
  }
}

function supervise(config: Config, onLine: (name: string, line: string) => void, closers: Closers): Supervisor {
  const stackFile = join(config.DATA_DIR, 'stack.json')
  const report = (line: string) => void process.stderr.write(`tollgate: ${line}\n`)
  const supervisor = new Supervisor({
    clock: systemClock,
    drainMs: drainMsOf(config),
    onLine,
    report,
    onChange: (processes) => writeStackFile(stackFile, processes, report),
  })
  // An exit without a drain must not leave processes behind.
  const killAll = () => supervisor.kill()
  process.once('exit', killAll)
  // Gateways reload their providers on SIGHUP; it would end the other services.
  const forwardHangUp = () => supervisor.forwardSignal('SIGHUP', (name) => name.startsWith('gateway'))
  process.on('SIGHUP', forwardHangUp)
  closers.push(async () => {
    await supervisor.stop()
    process.off('exit', killAll)
    process.off('SIGHUP', forwardHangUp)
    rmSync(stackFile, { force: true })
  })
  return supervisor
}

/** A process that has not ended by then is killed; its own limit comes earlier. */
function drainMsOf(config: Config): number {
  return drainMsMax(config) + KILL_MARGIN_MS
}

/** Passes on the settings that this process derived, so that all children use the same ones. */
function programOf({ name, main, portSetting, port, url }: PlannedProcess, config: Config, databaseUrl: string) {
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: config.DATA_DIR,
    SANDBOX: config.sandbox ? '1' : '0',
    [portSetting]: String(port),
  }
  return { name, main, env, url }
}

function addressesOf(processes: readonly PlannedProcess[]): Addresses {
  const urlsOf = (portSetting: PlannedProcess['portSetting']) =>
    processes.filter((planned) => planned.portSetting === portSetting).map(({ url }) => url)
  const [gateway = '', ...gateways] = urlsOf('GATEWAY_PORT')
  return {
    gateways: [gateway, ...gateways],
    backend: urlsOf('BACKEND_PORT')[0] ?? '',
    ai: urlsOf('AI_PORT')[0] ?? '',
    sandbox: urlsOf('SANDBOX_PORT')[0] ?? null,
  }
}

/**
 * Writes the list of running processes for operators, atomically. A full disk must not end the supervision: the file then
 * stays as it was, and the next change writes it.
 */
function writeStackFile(file: string, processes: readonly RunningProcess[], report: (line: string) => void): void {
  const partial = `${file}.partial`
  try {
    writeFileSync(partial, `${JSON.stringify({ supervisor: process.pid, processes }, null, 2)}\n`, { mode: 0o600 })
    renameSync(partial, file)
  } catch (error) {
    report(unwritable(file, error).message)
  }
}

type StackLog = {
  /** Adds a line that a service printed. */
  add(service: string, line: string): void
  close(): void
}

/** Writes the lines of all processes to one rotated file, each with the name of its process. */
function openStackLog(file: string, level: string): StackLog {
  const { log, write, close } = openLog({ level, file })
  return {
    add: (service, line) => {
      if (line.startsWith('{')) write(`{"service":${JSON.stringify(service)},${line.slice(1)}\n`)
      else log.error({ service }, line)
    },
    close,
  }
}

/** Throws the error that the service itself would throw if a port is taken, before any process is started. */
export async function requireFreePorts(host: string, processes: readonly PlannedProcess[]): Promise<void> {
  for (const { port, portSetting } of processes) {
    const server = await listen({ handler: () => {}, host, port, portSetting })
    await server.drain(0)
  }
}
