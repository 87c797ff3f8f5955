import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../services/platform/clock/clock.ts'
import type { Config } from '../../services/platform/config/config.ts'
import { openRuntime } from '../../services/platform/openRuntime.ts'
import type { Secrets } from '../../services/platform/secrets/generatedSecrets.ts'
import { type Addresses, bannerOf, writeDemo } from '../start/announce.ts'
import { checkSettings } from '../start/checkSettings.ts'
import type { DemoIdentity } from '../start/demoFile.ts'
import { openConfiguredDatabase } from '../start/openDatabase.ts'
import { prepareInstallation } from '../start/prepareInstallation.ts'
import { type Closers, type RunningInstallation, startInSteps } from '../start/runInstallation.ts'
import { type Counts, type PlannedProcess, planStack } from './plan.ts'
import { requireFreePorts } from './requireFreePorts.ts'
import { writeStackFile } from './stackFile.ts'
import { openStackLog } from './stackLog.ts'
import { Supervisor } from './supervisor.ts'

/** After its drain a process closes its engines and lands what it has cut. */
const AFTER_DRAIN_MS = 5_000
const STOP_MS_MAX = 20_000

/** Every service as a process of its own, kept running by this one. */
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
    const databaseUrl = await openConfiguredDatabase(config, signal, closers)
    const { demo, secrets } = await prepare(config, databaseUrl, logFile)
    const log = openStackLog(logFile, config.LOG_LEVEL)
    closers.push(async () => log.close())
    const supervisor = supervise(config, log.add, closers)
    const programs = plan.map((tier) => tier.map((planned) => programOf(planned, config, databaseUrl)))
    await supervisor.start(programs, signal)
    const addresses = addressesOf(plan.flat())
    if (demo) {
      await writeDemo({ dataDir: config.DATA_DIR, secrets, nowMs: systemClock.now() }, demo, addresses, logFile)
    }
    const headline = `Tollgate is ready: ${plan.flat().length} processes, kept running by this one.`
    const stopMsMax = plan.length * drainMsOf(config) + STOP_MS_MAX
    return { banner: bannerOf(headline, addresses, demo, logFile), stopMsMax }
  })
}

/** With engines that are opened for this and closed again: from then on only the services use them. */
async function prepare(
  config: Config,
  databaseUrl: string,
  logFile: string,
): Promise<{ demo: DemoIdentity | null; secrets: Secrets }> {
  const runtime = await openRuntime({ config, databaseUrl, logFile, name: 'stack' })
  try {
    return { demo: await prepareInstallation(runtime), secrets: runtime.secrets }
  } finally {
    await runtime.close()
  }
}

function supervise(config: Config, onLine: (name: string, line: string) => void, closers: Closers): Supervisor {
  const stackFile = join(config.DATA_DIR, 'stack.json')
  const supervisor = new Supervisor({
    clock: systemClock,
    drainMs: drainMsOf(config),
    onLine,
    tell: (line) => void process.stderr.write(`tollgate: ${line}\n`),
    onChange: (processes) => writeStackFile(stackFile, processes),
  })
  // An end that does not wait for the drain must not leave processes behind either.
  const endToo = () => supervisor.kill()
  process.once('exit', endToo)
  // Gateways read their providers anew; to the others it would be the end.
  const passOn = () => supervisor.passOn('SIGHUP', (name) => name.startsWith('gateway'))
  process.on('SIGHUP', passOn)
  closers.push(async () => {
    await supervisor.stop()
    process.off('exit', endToo)
    process.off('SIGHUP', passOn)
    rmSync(stackFile, { force: true })
  })
  return supervisor
}

function drainMsOf(config: Config): number {
  return config.DRAIN_TIMEOUT_MS + AFTER_DRAIN_MS
}

/** What this process has found out is told in so many words, so that each child comes to the same settings. */
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
