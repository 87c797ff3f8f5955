import { join } from 'node:path'
import { activeUserById } from '../../projections/users/queries.ts'
import { startAi } from '../../services/ai/ai.ts'
import { startBackend } from '../../services/backend/backend.ts'
import { startGateway } from '../../services/gateway/startGateway.ts'
import type { Config } from '../../services/platform/config/config.ts'
import { type OpenRuntime, openRuntime } from '../../services/platform/openRuntime.ts'
import type { ProviderTable } from '../../services/platform/providers/providersFile.ts'
import type { RunningService } from '../../services/platform/service.ts'
import { startSandbox } from '../../services/sandbox/sandbox.ts'
import { type Addresses, bannerOf, tellDemo } from './announce.ts'
import { checkSettings } from './checkSettings.ts'
import type { DemoIdentity } from './demoFile.ts'
import { openedDatabase } from './embeddedDatabase.ts'
import { prepareInstallation } from './prepareInstallation.ts'
import { type Closers, type RunningInstallation, startInSteps } from './runInstallation.ts'
import { startBackground } from './startBackground.ts'

const STOP_MS_MAX = 20_000

/** Every service in one process. */
export async function startAll(config: Config, signal: AbortSignal): Promise<RunningInstallation | null> {
  const providers = checkSettings(config)
  return startInSteps(signal, async (closers) => {
    const logFile = join(config.DATA_DIR, 'logs', 'tollgate.log')
    const databaseUrl = await openedDatabase(config, signal, closers)
    const runtime = await openRuntime({
      config,
      databaseUrl,
      logFile,
      name: 'tollgate',
      admitsCalls: true,
      sharedByThreads: true,
    })
    closers.push(runtime.close)
    const demo = await prepareInstallation(runtime)
    const addresses = await startServices(runtime, databaseUrl, providers, closers)
    if (demo) {
      const { secrets, clock } = runtime
      await untilKnown(runtime, demo)
      await tellDemo({ dataDir: config.DATA_DIR, secrets, nowMs: clock.now() }, demo, addresses, logFile)
    }
    runtime.log.info('ready')
    const stopMsMax = 2 * config.DRAIN_TIMEOUT_MS + STOP_MS_MAX
    return { banner: bannerOf('Tollgate is ready.', addresses, demo, logFile), stopMsMax }
  })
}

/** In an order such that the reverse is the order of a drain: the gateway's calls end while all else still runs. */
async function startServices(
  runtime: OpenRuntime,
  databaseUrl: string,
  providers: ProviderTable,
  closers: Closers,
): Promise<Addresses> {
  const started = (service: RunningService): RunningService => {
    closers.push(() => service.drain(runtime.config.DRAIN_TIMEOUT_MS))
    return service
  }
  const sandbox = runtime.config.sandbox ? started(await startSandbox(runtime)) : null
  started(startBackground(runtime, databaseUrl))
  const ai = started(await startAi(runtime, providers))
  const backend = started(await startBackend(runtime))
  const gateway = started(await startGateway(runtime, providers))
  return { gateways: [gateway.url ?? ''], backend: backend.url ?? '', ai: ai.url ?? '', sandbox: sandbox?.url ?? null }
}

/** On a machine that is busy, the projector's first start has many tables to make. */
const KNOWN_MS_MAX = 10_000
const LOOK_MS = 20

/** Who logs in as soon as we say ready must be known. A projector that is long behind does not hold up the start. */
async function untilKnown({ engines, clock }: OpenRuntime, { adminId, superAdminId }: DemoIdentity): Promise<void> {
  const isKnown = (userId: string) => activeUserById(engines.database, userId).catch(() => null)
  for (const endsAt = clock.now() + KNOWN_MS_MAX; clock.now() < endsAt; await clock.delay(LOOK_MS)) {
    if ((await isKnown(adminId)) && (await isKnown(superAdminId))) return
  }
}
