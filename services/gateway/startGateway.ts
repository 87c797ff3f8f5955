import { DocumentReader, type ReaderLimits } from '../../capabilities/documents/documentReader.ts'
import type { Runtime } from '../../capabilities/installation.ts'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import { reloadProvidersOnHangup } from '../../capabilities/providers/reloadedProviders.ts'
import { knownSecrets } from '../../capabilities/redaction/knownSecrets.ts'
import { Redaction } from '../../capabilities/redaction/redaction.ts'
import { UnsettledCalls } from '../../capabilities/unsettledCalls/unsettledCalls.ts'
import { settlesWithin } from '../../platform/clock/within.ts'
import { AFTER_DRAIN_MS } from '../../platform/drainLimit.ts'
import { type HttpServer, listen } from '../../platform/http/httpServer.ts'
import type { RunningService } from '../../platform/service.ts'
import { BackgroundWork } from './backgroundWork.ts'
import { createGateway } from './createGateway.ts'
import { GatewayMetrics } from './gatewayMetrics.ts'
import { followViews, openCharging, openLimits, openProviders, startHolds } from './gatewayParts.ts'
import { CallHolds } from './holds/callHolds.ts'
import { LargeJson } from './largeJson/largeJson.ts'
import { loadToolServer } from './mcp/loadToolServer.ts'
import { ProviderReports } from './providerReports.ts'
import { readModelReads } from './readModelReads.ts'
import { TrialCalls } from './trialCalls/trialCalls.ts'

/** After its limit, a drain waits as long for the calls that it cut to be recorded. The rest of AFTER_DRAIN_MS is for closing. */
const RECORDING_MS_MAX = AFTER_DRAIN_MS - 1_000
const REPORTS_STOP_MS_MAX = 1_000

export async function startGateway(
  runtime: Runtime,
  firstProviders: ProviderTable,
  readerLimits: Partial<ReaderLimits> = {},
): Promise<RunningService> {
  const gateway = await openGateway(runtime, firstProviders, readerLimits)
  const { config, clock } = runtime
  const server = await listen({
    handler: createGateway(gateway.dependencies),
    host: config.HOST,
    port: config.GATEWAY_PORT,
    portSetting: 'GATEWAY_PORT',
    trustedProxies: config.TRUST_PROXY,
    drainDelayMs: config.DRAIN_DELAY_MS,
    clock,
    bind: runtime.network?.listen,
  }).catch(async (error: unknown) => {
    await gateway.close()
    throw error
  })
  const jobs = startJobs(runtime, gateway)
  return {
    name: 'gateway',
    url: server.url,
    loadRest: loadToolServer,
    drain: async (timeoutMs) => {
      await finishCalls(runtime, gateway, server, jobs, timeoutMs)
      await gateway.close()
      jobs.stopReloading()
    },
  }
}

type OpenGateway = Awaited<ReturnType<typeof openGateway>>

/** Opens everything that a request may use. Calls that an earlier process has left are being settled from then on. */
async function openGateway(runtime: Runtime, firstProviders: ProviderTable, readerLimits: Partial<ReaderLimits>) {
  const { config, secrets, engines, clock, ids, log, metrics, tracing } = runtime
  const background = new BackgroundWork(clock)
  const charging = openCharging(runtime, await UnsettledCalls.open(config.DATA_DIR, clock), background)
  const following = await followViews(runtime)
  const { views } = following
  const holds = await startHolds(runtime, views, background)
  const figures = new GatewayMetrics(metrics)
  figures.observeAppends(() => engines.ledger.inFlight)
  const providing = openProviders(runtime)
  const documents = new DocumentReader(clock, readerLimits)
  const largeJson = new LargeJson(clock)
  const known = knownSecrets(config, secrets)
  const dependencies = {
    ...following,
    ...charging,
    ...openLimits(runtime, views, figures),
    ...providing,
    ...readModelReads(runtime, background),
    holds: new CallHolds(holds),
    providerTable: firstProviders,
    redaction: new Redaction({ secrets: known, tables: [firstProviders] }),
    documents,
    largeJson,
    requests: new BackgroundWork(clock),
    background,
    metrics: figures,
    registry: metrics,
    tracing,
    internalToken: secrets.internalToken,
    clock,
    ids,
    log,
    trustedProxies: config.TRUST_PROXY,
  }
  providing.providers.use(firstProviders)
  for (const settled of await charging.settlement.resume()) background.add(settled)
  return {
    dependencies,
    /** Calls in progress keep their providers. */
    useProviders: (table: ProviderTable) => {
      providing.providers.use(table)
      dependencies.redaction = new Redaction({ secrets: known, tables: [table, dependencies.providerTable] })
      dependencies.providerTable = table
    },
    close: async () => {
      await documents.close()
      await largeJson.close()
      charging.settlement.stop()
      following.priceCurrency.stop()
      charging.claims.stop()
      await holds.stop()
      await views.stop()
      await providing.providers.close()
    },
  }
}

type Jobs = ReturnType<typeof startJobs>

/** The background work of a gateway: reports, trial calls, and reloading its providers. */
function startJobs({ config, engines, clock, ids, log }: Runtime, { dependencies, useProviders }: OpenGateway) {
  const { database } = engines
  const { providers: client, providerWatch: watch } = dependencies
  const table = () => dependencies.providerTable
  return {
    reports: new ProviderReports({ database, clock, ids, log, client, watch, table }),
    trialCalls: new TrialCalls({
      ...{ database, clock, log },
      providers: () => ({ table: table(), redaction: dependencies.redaction }),
    }),
    stopReloading: reloadProvidersOnHangup({ config, log, onReload: useProviders }),
  }
}

/** Stops accepting calls and waits until those in progress are recorded. */
async function finishCalls(
  { config, clock, log }: Runtime,
  { dependencies: { requests, background, lateReads } }: OpenGateway,
  server: HttpServer,
  { reports, trialCalls }: Jobs,
  timeoutMs: number,
): Promise<void> {
  const limitAtMs = clock.monotonicMs() + config.DRAIN_DELAY_MS + timeoutMs
  const msLeft = (moreMs = 0) => Math.max(0, limitAtMs + moreMs - clock.monotonicMs())
  await settlesWithin(reports.stop(), REPORTS_STOP_MS_MAX, clock)
  await Promise.all([server.drain(timeoutMs), trialCalls.stop(timeoutMs)])
  // A call that was cut has not recorded its end yet; one that had finished at its provider is read on first, as long as
  // the limit of the drain allows.
  if (!(await requests.settled(msLeft()))) {
    lateReads.giveUp()
    await requests.settled(msLeft(RECORDING_MS_MAX))
  }
  if (!(await background.settled(msLeft(RECORDING_MS_MAX)))) {
    log.error({ left: background.size }, 'drain ended before all calls were recorded')
  }
}
