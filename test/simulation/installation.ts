import { type OpenRuntime, openRuntime, type Runtime } from '../../capabilities/installation.ts'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import { untilModelsAreBuilt } from '../../capabilities/readModels/builtModels.ts'
import type { Config } from '../../platform/config/config.ts'
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
import { logOf } from './processLog.ts'
import type { SimulatedProcess } from './scheduler/simulatedProcess.ts'
import { configOf } from './settings.ts'
import type { Simulation } from './simulation.ts'

const CONNECTIONS_MAX = 20

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
