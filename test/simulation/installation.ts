import { type OpenRuntime, openRuntime, type Runtime } from '../../capabilities/installation.ts'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import { untilModelsAreBuilt } from '../../capabilities/readModels/builtModels.ts'
import { type Config, readConfig } from '../../platform/config/config.ts'
import { forwardingLog, type OpenLog } from '../../platform/logger/logger.ts'
import { Metrics } from '../../platform/metrics/metrics.ts'
import { SERVICE_ANSWER_MS_MAX } from '../../platform/postgres/connectionLimits.ts'
import { openDatabase } from '../../platform/postgres/database.ts'
import { startAi } from '../../services/ai/ai.ts'
import { startBackend } from '../../services/backend/backend.ts'
import { startGateway } from '../../services/gateway/startGateway.ts'
import { startProjector } from '../../services/projector/projector.ts'
import { startReactor } from '../../services/reactor/reactor.ts'
import { startSealer } from '../../services/reactor/sealer/sealer.ts'
import { testSigningKeys } from '../support/transparency/sealedTransparencyLog.ts'
import type { SimulatedProcess } from './scheduler/simulatedProcess.ts'
import type { Simulation } from './simulation.ts'

const CONNECTIONS_MAX = 20
export const HTTP_PORT = 80

const [signing] = testSigningKeys.of(testSigningKeys.origin)
/** With which outsiders verify what the transparency log signs. */
export const LOG_VKEY = signing.vkey

/** The settings of a production installation whose processes share one database. */
export const SETTINGS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://simulated/simulated',
  DATA_DIR: '/simulated',
  JWT_SECRET: 'secret-of-simulated-sessions-0001',
  INTERNAL_TOKEN: 'token-of-simulated-services-0001',
  STRIPE_SECRET_KEY: 'sk_test_simulated',
  STRIPE_API_BASE: 'http://payments',
  STRIPE_WEBHOOK_SECRET: 'whsec_simulated',
  WEBHOOK_SECRETS_KEY: 'key-of-simulated-webhook-secrets-1',
  PUBLIC_URL: 'https://tollgate.example',
  SMTP_URL: 'smtp://mail',
  LOG_ORIGIN: signing.name,
  LOG_SIGNING_KEY: signing.text,
  LOG_SCRUB_SHARE: '0.5',
  LOG_SCRUB_INTERVAL_MS: '2000',
  GATEWAY_PORT: String(HTTP_PORT),
  BACKEND_PORT: String(HTTP_PORT),
  AI_PORT: String(HTTP_PORT),
  IP_RPM: '0',
  LOG_LEVEL: 'info',
}

export function configOf(settings: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ ...SETTINGS, ...settings })
}

export type ProcessOptions = {
  readonly config?: Config
  readonly admitsCalls?: boolean
  /** Waits until read models have the columns of this version, as services do that read them. */
  readonly readsModels?: boolean
}

/** Opens what a process needs before its services, as its main program does. Call it in the context of the process. */
export async function openProcess(
  simulation: Simulation,
  owner: SimulatedProcess,
  { config = configOf(), admitsCalls = false, readsModels = false }: ProcessOptions = {},
): Promise<OpenRuntime> {
  const { server, network } = simulation
  const connecting = { stream: () => server.connect(owner), user: 'postgres', database: 'postgres' }
  const runtime = await openRuntime({
    config,
    database: openDatabase({
      url: 'simulated:',
      connecting,
      connectionsMax: CONNECTIONS_MAX,
      answerMsMax: SERVICE_ANSWER_MS_MAX,
    }),
    log: logOf(simulation, owner),
    name: owner.name,
    metrics: new Metrics(),
    network: network.of(owner),
    admitsCalls,
  })
  if (readsModels) await untilModelsAreBuilt(runtime, new AbortController().signal)
  return runtime
}

export function logOf({ scheduler, alarms }: Simulation, owner: SimulatedProcess): OpenLog {
  let onLine: (line: string) => void = () => {}
  const write = (line: string) => {
    // A promise that it waited for may still settle, such as that of a password hash.
    if (owner.isDead) return
    scheduler.record(`${owner.name} logs ${withoutStack(line)}`)
    alarms.line(owner.name, line)
    onLine(line)
  }
  const tap = (listener: (line: string) => void) => {
    onLine = listener
  }
  return { log: forwardingLog('info', write), write, tap, close: () => {} }
}

/** Stacks contain paths of the checkout, and so are no part of the hash. */
function withoutStack(line: string): string {
  return line.replace(/"stack":"(?:[^"\\]|\\.)*",?/g, '').trim()
}

/** A process as its main program starts it. */
export function startService(simulation: Simulation, name: string, service: Service): void {
  const { start, ...options } = service
  simulation.processes.start({
    name,
    start: async (owner) => {
      await start(await openProcess(simulation, owner, options))
    },
  })
}

export type Service = ProcessOptions & { start(runtime: Runtime): Promise<unknown> | unknown }

export const gatewayWith = (providers: ProviderTable): Service => ({
  admitsCalls: true,
  readsModels: true,
  start: (runtime) => startGateway(runtime, providers),
})

export const backend: Service = { readsModels: true, start: (runtime) => startBackend(runtime) }

export const aiWith = (providers: ProviderTable): Service => ({
  readsModels: true,
  start: (runtime) => startAi(runtime, providers),
})

export const reactor: Service = {
  readsModels: true,
  start: async (runtime) => {
    await startReactor(runtime)
    startSealer({ ...runtime, keys: testSigningKeys })
  },
}

/** The process that keeps the read models. */
export function startProjectorProcess(simulation: Simulation, name = 'projector'): void {
  simulation.processes.start({
    name,
    start: async (owner) => {
      await startProjector(await openProcess(simulation, owner))
    },
  })
}
