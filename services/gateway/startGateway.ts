import { streamName } from '../../contracts/streams.ts'
import { hasPassed } from '../../projections/runner/readAfterWrite.ts'
import { usageByGroup } from '../../projections/usage/queries.ts'
import { listen } from '../platform/http/httpServer.ts'
import { metricsRoute, serviceHandler } from '../platform/http/serviceRoutes.ts'
import { ProviderClient } from '../platform/providers/providerClient.ts'
import type { ProviderTable } from '../platform/providers/providersFile.ts'
import type { Runtime } from '../platform/runtime.ts'
import type { RunningService } from '../platform/service.ts'
import { BackgroundWork } from './backgroundWork.ts'
import { createGateway } from './gateway.ts'
import { GatewayMetrics } from './gatewayMetrics.ts'
import { CallLimits } from './limits.ts'
import type { GatewayParts } from './parts.ts'
import { openViews } from './views/gatewayViews.ts'

/** How long a reader of usage waits for the records of calls that failed. */
const RECORDS_WAIT_MS = 2_000

export async function startGateway(runtime: Runtime, providerTable: ProviderTable): Promise<RunningService> {
  const { config, secrets, engines, clock, log, metrics } = runtime
  const views = await openViews({ ...engines, clock, log })
  const providers = new ProviderClient()
  const requests = new BackgroundWork()
  const background = new BackgroundWork()
  const gateway = createGateway({
    views,
    limits: new CallLimits(engines.sharedState.rateLimits, clock, config.IP_RPM),
    ledger: engines.ledger,
    providers,
    providerTable,
    readUsage: readUsageOf(runtime, background),
    requests,
    background,
    metrics: new GatewayMetrics(metrics),
    clock,
    log,
    trustedProxies: config.TRUST_PROXY,
  })
  const operations = serviceHandler({ 'GET /metrics': metricsRoute(metrics) }, secrets.internalToken, log)
  const server = await listen({
    handler: (request, response) => (request.url === '/metrics' ? operations : gateway)(request, response),
    host: config.HOST,
    port: config.GATEWAY_PORT,
    portSetting: 'GATEWAY_PORT',
  }).catch(async (error: unknown) => {
    await views.stop()
    throw error
  })
  return {
    name: 'gateway',
    url: server.url,
    drain: async (timeoutMs) => {
      await server.drain(timeoutMs)
      // A call that was cut has yet to put its end on record.
      await requests.settled(timeoutMs)
      if (!(await background.settled(timeoutMs))) {
        log.error({ left: background.size }, 'the drain ends before all calls are on record')
      }
      await views.stop()
      await providers.close()
    },
  }
}

/** Waits until the read model shows the key's last call, so that a caller finds the call it has just made. */
function readUsageOf({ engines, clock }: Runtime, background: BackgroundWork): GatewayParts['readUsage'] {
  const { database, store, feed } = engines
  return async (query) => {
    await background.settled(RECORDS_WAIT_MS)
    const stream = streamName('ledger', query.companyId)
    for await (const last of store.readStream(stream, { direction: 'backwards', limit: 1 })) {
      await hasPassed(database, 'usage', last.position, clock, feed.partitionOf(stream))
    }
    return usageByGroup(database, query)
  }
}
