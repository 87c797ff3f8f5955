import type { ProviderTable } from '../../../capabilities/providers/providersFile.ts'
import { knownSecrets } from '../../../capabilities/redaction/knownSecrets.ts'
import { Redaction } from '../../../capabilities/redaction/redaction.ts'
import { UnsettledCalls } from '../../../capabilities/unsettledCalls/unsettledCalls.ts'
import { listen } from '../../../platform/http/httpServer.ts'
import { BackgroundWork } from '../../../services/gateway/backgroundWork.ts'
import { createGateway } from '../../../services/gateway/createGateway.ts'
import type { GatewayDependencies } from '../../../services/gateway/dependencies.ts'
import { GatewayMetrics } from '../../../services/gateway/gatewayMetrics.ts'
import { followViews, openLimits, openProviders, startHolds } from '../../../services/gateway/gatewayParts.ts'
import { CallHolds } from '../../../services/gateway/holds/callHolds.ts'
import { Claims } from '../../../services/gateway/idempotency/claims.ts'
import { isBooked } from '../../../services/gateway/idempotency/isBooked.ts'
import { LargeJson } from '../../../services/gateway/largeJson/largeJson.ts'
import { Settlement } from '../../../services/gateway/settlement/settlement.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { MemoryInstallation } from '../store/memoryInstallation.ts'

/**
 * A gateway as `startGateway` makes it, in the same order, with the answers of calls in memory. Routes that read from the
 * database are not called.
 */
export async function startMemoryGateway(
  installation: MemoryInstallation,
  owner: SimulatedProcess,
  n: number,
  providerTable: ProviderTable,
): Promise<void> {
  const runtime = await installation.openGateway(owner, n)
  const { config, secrets, engines, clock, ids, log, metrics } = runtime
  const { ledger, store } = engines
  const { answers } = installation.sharedState
  const background = new BackgroundWork(clock)
  const calls = await UnsettledCalls.open(config.DATA_DIR, clock)
  const settlement = new Settlement({ calls, answers, ledger, store, clock, log })
  const following = await followViews(runtime)
  const { views } = following
  const holds = await startHolds(runtime, views, background)
  const figures = new GatewayMetrics(metrics)
  const providing = openProviders(runtime)
  const dependencies: Partial<GatewayDependencies> = {
    ...following,
    ...{ ledger, settlement, isBooked: (charge) => isBooked(store, charge) },
    claims: new Claims({ store: answers, clock, ids, background, log }),
    ...openLimits(runtime, views, figures),
    ...providing,
    holds: new CallHolds(holds),
    providerTable,
    redaction: new Redaction({ secrets: knownSecrets(config, secrets), tables: [providerTable] }),
    largeJson: new LargeJson(clock),
    requests: new BackgroundWork(clock),
    background,
    metrics: figures,
    registry: metrics,
    tracing: null,
    internalToken: secrets.internalToken,
    ...{ clock, ids, log },
    trustedProxies: 0,
  }
  providing.providers.use(providerTable)
  for (const settled of await settlement.resume()) background.add(settled)
  const { network } = runtime
  await listen({
    handler: createGateway(dependencies as GatewayDependencies),
    host: config.HOST,
    port: config.GATEWAY_PORT,
    portSetting: 'GATEWAY_PORT',
    clock,
    ...(network && { bind: network.listen }),
  })
}
