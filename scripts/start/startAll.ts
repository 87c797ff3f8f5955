import { join } from 'node:path'
import { startAi } from '../../services/ai/ai.ts'
import { startBackend } from '../../services/backend/backend.ts'
import { startGateway } from '../../services/gateway/startGateway.ts'
import { type Config, requireSettings } from '../../services/platform/config/config.ts'
import { requireAdapters } from '../../services/platform/engines.ts'
import { type OpenRuntime, openRuntime } from '../../services/platform/openRuntime.ts'
import { startEmbeddedPostgres } from '../../services/platform/postgres/embedded/embeddedPostgres.ts'
import { sendSignal } from '../../services/platform/postgres/embedded/sendSignal.ts'
import { configuredProviders } from '../../services/platform/providers/configuredProviders.ts'
import type { ProviderTable } from '../../services/platform/providers/providersFile.ts'
import type { Runtime } from '../../services/platform/runtime.ts'
import { signAccessToken } from '../../services/platform/secrets/accessTokens.ts'
import type { RunningService } from '../../services/platform/service.ts'
import { prepareReadModels } from '../../services/projector/projector.ts'
import { startSandbox } from '../../services/sandbox/sandbox.ts'
import { type DemoIdentity, demoIdentityOf, writeDemoFile } from './demoFile.ts'
import { seedDemo } from './seedDemo.ts'
import { startBackground } from './startBackground.ts'

export type RunningInstallation = { readonly banner: string; stop(): Promise<void> }

const TOKEN_TTL_SECONDS = 7 * 24 * 60 * 60
const REQUIRED = [
  'PROVIDERS_FILE',
  'JWT_SECRET',
  'INTERNAL_TOKEN',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SMTP_URL',
] as const

/** Every service in one process. null: it was told to stop while it was starting, and has cleaned up. */
export async function startAll(config: Config, signal: AbortSignal): Promise<RunningInstallation | null> {
  requireAdapters(config)
  requireSettings(config, REQUIRED)
  // Read first: a faulty file must not cost the start of a database.
  const providers = configuredProviders(config)
  const closers: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const close of closers.toReversed()) await close()
  }
  try {
    const logFile = join(config.DATA_DIR, 'logs', 'tollgate.log')
    const databaseUrl = config.DATABASE_URL ?? (await startDatabase(config, signal, closers))
    const runtime = await openRuntime(config, databaseUrl, logFile)
    closers.push(runtime.close)
    await prepareReadModels(runtime)
    const demo = config.sandbox ? await demoIdentityOf(config.DATA_DIR) : null
    if (demo) await seedDemo(runtime, demo)
    const services = await startServices(runtime, databaseUrl, providers, closers)
    if (demo) await writeDemoFile(config.DATA_DIR, await demoContent(runtime, demo, services, logFile))
    runtime.log.info('ready')
    if (signal.aborted) {
      await stop()
      return null
    }
    return { banner: bannerOf(services, demo, logFile), stop }
  } catch (error) {
    await stop()
    if (signal.aborted) return null
    throw error
  }
}

async function startDatabase(config: Config, signal: AbortSignal, closers: (() => Promise<void>)[]): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, signal })
  // An end that does not wait for the drain (a second Ctrl-C, a fault of ours) must not leave the database behind.
  const endToo = () => sendSignal(postgres.pid, 'SIGINT')
  process.once('exit', endToo)
  closers.push(async () => {
    await postgres.stop()
    process.off('exit', endToo)
  })
  return postgres.url
}

type Addresses = Readonly<Record<'gateway' | 'backend' | 'ai', string>> & { readonly sandbox: string | null }

/** In an order such that the reverse is the order of a drain: the gateway's calls end while all else still runs. */
async function startServices(
  runtime: OpenRuntime,
  databaseUrl: string,
  providers: ProviderTable,
  closers: (() => Promise<void>)[],
): Promise<Addresses> {
  const started = (service: RunningService): RunningService => {
    closers.push(() => service.drain(runtime.config.DRAIN_TIMEOUT_MS))
    return service
  }
  const sandbox = runtime.config.sandbox ? started(await startSandbox(runtime)) : null
  started(startBackground(runtime, databaseUrl))
  const ai = started(await startAi(runtime))
  const backend = started(await startBackend(runtime))
  const gateway = started(await startGateway(runtime, providers))
  return { gateway: gateway.url ?? '', backend: backend.url ?? '', ai: ai.url ?? '', sandbox: sandbox?.url ?? null }
}

async function demoContent({ secrets, clock }: Runtime, demo: DemoIdentity, services: Addresses, logFile: string) {
  const token = (userId: string, email: string) =>
    signAccessToken(secrets.jwtSecret, { userId, email }, clock.now(), TOKEN_TTL_SECONDS)
  return {
    gatewayUrl: `${services.gateway}/llm/v1`,
    backendUrl: services.backend,
    aiUrl: services.ai,
    sandboxUrl: services.sandbox ?? '',
    mailboxUrl: `${services.sandbox}/mailbox`,
    ...demo,
    adminToken: await token(demo.adminId, demo.adminEmail),
    superAdminToken: await token(demo.superAdminId, demo.superAdminEmail),
    internalToken: secrets.internalToken,
    webhookSecret: secrets.webhookSecret,
    logFile,
  }
}

function bannerOf(services: Addresses, demo: DemoIdentity | null, logFile: string): string {
  const lines = [
    'Tollgate is ready.',
    `  gateway ${services.gateway}/llm/v1   backend ${services.backend}   ai ${services.ai}`,
    ...(services.sandbox ? [`  sandbox ${services.sandbox} (answers in place of real models)`] : []),
    `  log     ${logFile}`,
  ]
  if (demo) {
    const body = '{"model":"svc/chat-default","messages":[{"role":"user","content":"Hello"}]}'
    lines.push(
      'Try it:',
      `  curl -s ${services.gateway}/llm/v1/chat/completions -H 'Authorization: Bearer ${demo.apiKey}' -H 'Content-Type: application/json' -d '${body}'`,
      `See the charge: npm run audit -- ${demo.companyId}`,
    )
  }
  return `${lines.join('\n')}\n`
}
