import type { Runtime } from '../../capabilities/installation.ts'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import type { DrainLimit } from '../../platform/drainLimit.ts'
import type { RunningService } from '../../platform/service.ts'
import { startAi } from '../../services/ai/ai.ts'
import { startBackend } from '../../services/backend/backend.ts'
import { startGateway } from '../../services/gateway/startGateway.ts'
import { startSandbox } from '../../services/sandbox/sandbox.ts'
import type { Addresses } from './announce.ts'
import type { Closers } from './runInstallation.ts'
import type { Background } from './startBackground.ts'

export type StartedServices = {
  readonly addresses: Addresses
  /** Loads code that the services do not need to be ready, one module after the other. */
  loadRest(): Promise<void>
}

/** Starts in the reverse order of a drain: the gateway's calls end while everything else is still running. */
export async function startServices(
  runtime: Runtime,
  providers: ProviderTable,
  background: Background,
  closers: Closers,
  limit: DrainLimit,
): Promise<StartedServices> {
  const all: RunningService[] = []
  const started = (service: RunningService): RunningService => {
    all.push(service)
    closers.push(() => limit.step(service.name, (timeoutMs) => service.drain(timeoutMs)))
    return service
  }
  const sandbox = runtime.config.sandbox ? started(await startSandbox(runtime)) : null
  started(background)
  const ai = started(await startAi(runtime, providers))
  const backend = started(await startBackend(runtime, { defersGraphql: true }))
  const gateway = started(await startGateway(runtime, providers))
  return {
    addresses: {
      gateways: [gateway.url ?? ''],
      backend: backend.url ?? '',
      ai: ai.url ?? '',
      sandbox: sandbox?.url ?? null,
    },
    loadRest: async () => {
      for (const service of all) await service.loadRest?.()
    },
  }
}
