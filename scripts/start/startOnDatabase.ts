import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { type OpenRuntime, openRuntime } from '../../capabilities/installation.ts'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import { currentVkey } from '../../capabilities/transparency/signingKeys.ts'
import type { Config } from '../../platform/config/config.ts'
import { DrainLimit, drainMsMax } from '../../platform/drainLimit.ts'
import { activeUserById } from '../../projections/users/queries.ts'
import { prepareReadModels } from '../../services/projector/projector.ts'
import { bannerOf, writeDemo } from './announce.ts'
import type { DemoUsers } from './demoUsers.ts'
import type { ConfiguredDatabase } from './openDatabase.ts'
import { announceRebuild, prepareDemo } from './prepareInstallation.ts'
import { reportCatchUp } from './reportCatchUp.ts'
import type { Closers, RunningInstallation } from './runInstallation.ts'
import { startBackground } from './startBackground.ts'

/** Of the embedded database, which is stopped after the drain. */
const STOP_MS_MAX = 20_000

export type StartOnDatabase = {
  readonly config: Config
  readonly providers: ProviderTable
  /** The database, once it accepts connections. */
  readonly database: Promise<ConfiguredDatabase>
  /** The background thread, which loads its code in parallel. */
  readonly thread: Worker
  readonly signal: AbortSignal
  readonly closers: Closers
}

/** The part of a start that follows the database. The services' code loads while tables and demo data are written. */
export async function startOnDatabase({
  config,
  providers,
  database,
  thread,
  signal,
  closers,
}: StartOnDatabase): Promise<Omit<RunningInstallation, 'stop'>> {
  const services = loadServices()
  services.catch(() => {})
  const { url: databaseUrl, logTo } = await database
  const logFile = join(config.DATA_DIR, 'logs', 'tollgate.log')
  const runtime = await openRuntime({
    config,
    database: databaseUrl,
    log: logFile,
    name: 'tollgate',
    admitsCalls: true,
    sharedByThreads: true,
  })
  const limit = new DrainLimit({ config, clock: runtime.clock, log: runtime.log })
  closers.push(async () => {
    await limit.step('engines', () => runtime.close())
    if (limit.isExceeded) process.exitCode = 1
  })
  logTo((line) => runtime.log.warn(line))
  await prepareReadModels(runtime, { signal, onRebuild: announceRebuild })
  const background = startBackground(runtime, databaseUrl, thread)
  // For a start that fails before the services run. In a drain it runs earlier, and is a no-op here.
  closers.push(() => limit.step(background.name, (timeoutMs) => background.drain(timeoutMs)))
  const stopReporting = reportCatchUp(runtime, (line) => process.stderr.write(line))
  closers.push(async () => stopReporting())
  const demo = await prepareDemo(runtime)
  const { startServices } = await services
  const { addresses, loadRest } = await startServices(runtime, providers, background, closers, limit)
  if (demo) {
    const { secrets, clock } = runtime
    await untilUsersAreKnown(runtime, demo)
    const logVkey = await currentVkey(runtime.engines.database, config)
    await writeDemo({ dataDir: config.DATA_DIR, secrets, nowMs: clock.now(), logVkey }, demo, addresses, logFile)
  }
  background.startReactor()
  runtime.log.info('ready')
  const stopMsMax = drainMsMax(config) + STOP_MS_MAX
  // A caller that needs what failed to load gets the same error.
  const loadAll = () =>
    loadRest().catch((error: unknown) => runtime.log.warn({ err: error }, 'code of a service failed to load'))
  const afterReady = () =>
    void loadAll().then(async () => {
      if (config.sandbox) return
      const { printOpenSteps } = await import('./openSteps.ts')
      await printOpenSteps(runtime)
    })
  const reload = config.PROVIDERS_FILE
    ? `Models: "kill -HUP ${process.pid}" reads ${config.PROVIDERS_FILE} again\n`
    : ''
  return { banner: bannerOf('Tollgate is ready.', addresses, demo, logFile) + reload, stopMsMax, afterReady }
}

/** One service after the other: in between, the event loop gets to what the database is waiting for. */
async function loadServices(): Promise<typeof import('./startServices.ts')> {
  await import('../../services/sandbox/sandbox.ts')
  await setImmediate()
  await import('../../services/ai/ai.ts')
  await setImmediate()
  await import('../../services/gateway/startGateway.ts')
  await setImmediate()
  return import('./startServices.ts')
}

/** On a busy machine, the projector's first start takes seconds. */
const USERS_KNOWN_MS_MAX = 10_000
const POLL_MS = 20

/**
 * Waits until the projector has passed the demo users and their last passwords, so that they can sign in once the start
 * reports ready. A projector that is far behind does not hold up the start.
 */
async function untilUsersAreKnown(
  { engines, clock }: OpenRuntime,
  { adminId, superAdminId, tokenVersions }: DemoUsers,
): Promise<void> {
  const isKnown = async (userId: string) => {
    const user = await activeUserById(engines.database, userId).catch(() => null)
    return user !== null && user.tokenVersion >= (tokenVersions.get(userId) ?? 0)
  }
  const endsAt = clock.monotonicMs() + USERS_KNOWN_MS_MAX
  for (; clock.monotonicMs() < endsAt; await clock.delay(POLL_MS)) {
    if ((await isKnown(adminId)) && (await isKnown(superAdminId))) return
  }
}
