import { AnswerStore } from '../../capabilities/answerStore/answerStore.ts'
import { DocumentReader } from '../../capabilities/documents/documentReader.ts'
import type { Runtime } from '../../capabilities/installation.ts'
import { registerBreakerStates } from '../../capabilities/providers/breakerMetrics.ts'
import { ProviderClient } from '../../capabilities/providers/providerClient.ts'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import { ProviderWatch } from '../../capabilities/providers/providerWatch.ts'
import { reloadProvidersOnHangup } from '../../capabilities/providers/reloadedProviders.ts'
import { knownSecrets } from '../../capabilities/redaction/knownSecrets.ts'
import { Redaction } from '../../capabilities/redaction/redaction.ts'
import { ReceiptReader } from '../../capabilities/transparency/receiptReader.ts'
import { TransparencyLog } from '../../capabilities/transparency/transparencyLog.ts'
import { UnsettledCalls } from '../../capabilities/unsettledCalls/unsettledCalls.ts'
import { type Category, streamName } from '../../contracts/streams.ts'
import { settlesWithin } from '../../platform/clock/within.ts'
import { AFTER_DRAIN_MS } from '../../platform/drainLimit.ts'
import { listen } from '../../platform/http/httpServer.ts'
import { FairShare } from '../../platform/http/limits/fairShare.ts'
import { KeyStamp } from '../../platform/secrets/keyStamp.ts'
import type { RunningService } from '../../platform/service.ts'
import { callOf } from '../../projections/calls/queries.ts'
import { activeJobs } from '../../projections/jobs/queries.ts'
import { hasPassed } from '../../projections/runner/readAfterWrite.ts'
import { usage } from '../../projections/usage/projection.ts'
import { usageByGroup } from '../../projections/usage/queries.ts'
import { usageByLabel } from '../../projections/usageByLabel/projection.ts'
import { BackgroundWork } from './backgroundWork.ts'
import { AbandonedStreams } from './call/abandonedStreams.ts'
import { ANSWER_GROWTH_BYTES_MAX } from './call/answerRoom.ts'
import { CallsInFlight } from './call/callsInFlight.ts'
import { LateReads } from './call/lateReads.ts'
import { createGateway } from './createGateway.ts'
import type { GatewayDependencies } from './dependencies.ts'
import { GatewayMetrics } from './gatewayMetrics.ts'
import { budgetSeen } from './holds/budgetAccount.ts'
import { CallHolds } from './holds/callHolds.ts'
import { HoldKeeper } from './holds/holdKeeper.ts'
import { refusalFor } from './holds/holdRefusals.ts'
import { Claims } from './idempotency/claims.ts'
import { isBooked } from './idempotency/isBooked.ts'
import { LargeJson } from './largeJson/largeJson.ts'
import { loadToolServer } from './mcp/loadToolServer.ts'
import { ProviderReports } from './providerReports.ts'
import { RateLimiter } from './rateLimiter.ts'
import { Settlement } from './settlement/settlement.ts'
import { TrialCalls } from './trialCalls/trialCalls.ts'
import { CompanyCatchUp } from './views/companyCatchUp.ts'
import { lowest } from './views/following.ts'
import { openViews } from './views/gatewayViews.ts'
import { NewKeys } from './views/newKeys.ts'
import { PriceCurrency } from './views/priceCurrency.ts'
import { SharedHead } from './views/sharedHead.ts'
import { observeViewLag } from './views/viewLag.ts'

/** How long /usage waits for the records of failed calls. */
const RECORDS_WAIT_MS = 2_000
/** After its limit, a drain waits as long for the calls that it cut to be recorded. The rest of AFTER_DRAIN_MS is for closing. */
const RECORDING_MS_MAX = AFTER_DRAIN_MS - 1_000
const REPORTS_STOP_MS_MAX = 1_000

export async function startGateway(runtime: Runtime, firstProviders: ProviderTable): Promise<RunningService> {
  const { config, secrets, engines, clock, ids, log, metrics, tracing } = runtime
  const unsettledCalls = await UnsettledCalls.open(config.DATA_DIR, clock)
  const views = await openViews({ ...engines, clock, log })
  observeViewLag(metrics, views, engines.store)
  const providers = openProviders(runtime)
  let providerTable = firstProviders
  const known = knownSecrets(config, secrets)
  let redaction = new Redaction({ secrets: known, tables: [providerTable] })
  providers.use(providerTable)
  const requests = new BackgroundWork(clock)
  const background = new BackgroundWork(clock)
  const lateReads = new LateReads(clock)
  const figures = new GatewayMetrics(metrics)
  figures.observeAppends(() => engines.ledger.inFlight)
  const answers = new AnswerStore(engines.database, clock)
  const claims = new Claims({ store: answers, clock, ids, background, log })
  const { ledger, store } = engines
  const settlement = new Settlement({ calls: unsettledCalls, answers, ledger, store, clock, log })
  const holds = new HoldKeeper({
    table: engines.sharedState.holds,
    views: { ledgerSeen: (account) => budgetSeen(views, account) ?? views.ledgerSeen(account) },
    refusal: refusalFor(views),
    store: engines.store,
    background,
    clock,
    ids,
    log,
  })
  await holds.start()
  const documents = new DocumentReader(clock)
  const largeJson = new LargeJson(clock)
  const providerWatch = new ProviderWatch({ clock, log, metrics })
  const receipts = new ReceiptReader({
    database: engines.database,
    store: engines.storeAsWritten,
    readTiles: new TransparencyLog(engines.database).readTiles,
    log,
  })
  const passed = (category: Category) => lowest(views.reached()[category] ?? {})
  const head = new SharedHead(engines.store)
  const priceCurrency = new PriceCurrency({ head, reached: () => passed('pricing'), clock })
  const handler = createGateway({
    views,
    priceCurrency,
    newKeys: new NewKeys({
      stamp: new KeyStamp(secrets.internalToken),
      keys: views.keys,
      head,
      reached: () => passed('apiKey'),
      clock,
    }),
    companyCatchUp: new CompanyCatchUp({
      changes: engines.sharedState.companyChanges,
      seen: (companyId, category) => (category === 'ledger' ? views.ledgerSeen(companyId).position : passed(category)),
      clock,
      log,
    }),
    holds: new CallHolds(holds),
    rateLimiter: new RateLimiter(engines.sharedState.rateLimits, clock, config.IP_RPM, (limit) =>
      figures.limitHit(limit),
    ),
    abandonedStreams: new AbandonedStreams({
      tokens: views.dailyTokens,
      shareMax: config.ABANDONED_TOKENS_SHARE,
      tokensMin: config.ABANDONED_TOKENS_FLOOR,
      log,
      onHit: () => figures.limitHit('abandoned'),
    }),
    ledger: engines.ledger,
    claims,
    settlement,
    isBooked: (charge) => isBooked(engines.store, charge),
    providers,
    providerWatch,
    get providerTable() {
      return providerTable
    },
    get redaction() {
      return redaction
    },
    documents,
    largeJson,
    answerGrowth: new FairShare(ANSWER_GROWTH_BYTES_MAX),
    readUsage: readUsageOf(runtime, background),
    readCall: readCallOf(runtime, background),
    readReceipt: (companyId, eventId, options) => receipts.read(companyId, eventId, options),
    callsInFlight: new CallsInFlight(),
    readJobs: (companyId, limit, after) => activeJobs(engines.database, companyId, limit, after),
    requests,
    background,
    lateReads,
    metrics: figures,
    registry: metrics,
    tracing,
    internalToken: secrets.internalToken,
    clock,
    ids,
    log,
    trustedProxies: config.TRUST_PROXY,
  })
  for (const settled of await settlement.resume()) background.add(settled)
  const server = await listen({
    handler,
    host: config.HOST,
    port: config.GATEWAY_PORT,
    portSetting: 'GATEWAY_PORT',
    trustedProxies: config.TRUST_PROXY,
    drainDelayMs: config.DRAIN_DELAY_MS,
    clock,
  }).catch(async (error: unknown) => {
    settlement.stop()
    priceCurrency.stop()
    await holds.stop()
    await views.stop()
    throw error
  })
  const reports = new ProviderReports({
    database: engines.database,
    clock,
    ids,
    log,
    client: providers,
    watch: providerWatch,
    table: () => providerTable,
  })
  const trialCalls = new TrialCalls({
    ...{ database: engines.database, clock, log },
    providers: () => ({ table: providerTable, redaction }),
  })
  const stopReloading = reloadProvidersOnHangup({
    config,
    log,
    onReload: (table) => {
      providers.use(table)
      redaction = new Redaction({ secrets: known, tables: [table, providerTable] })
      providerTable = table
    },
  })
  return {
    name: 'gateway',
    url: server.url,
    loadRest: loadToolServer,
    drain: async (timeoutMs) => {
      const limitAtMs = clock.monotonicMs() + config.DRAIN_DELAY_MS + timeoutMs
      const recordingMsLeft = () => Math.max(0, limitAtMs + RECORDING_MS_MAX - clock.monotonicMs())
      await settlesWithin(reports.stop(), REPORTS_STOP_MS_MAX, clock)
      await Promise.all([server.drain(timeoutMs), trialCalls.stop(timeoutMs)])
      // A call that was cut has not recorded its end yet; one that had finished at its provider is read on first, as long as
      // the limit of the drain allows.
      if (!(await requests.settled(Math.max(0, limitAtMs - clock.monotonicMs())))) {
        lateReads.giveUp()
        await requests.settled(recordingMsLeft())
      }
      if (!(await background.settled(recordingMsLeft()))) {
        log.error({ left: background.size }, 'drain ended before all calls were recorded')
      }
      await documents.close()
      await largeJson.close()
      settlement.stop()
      priceCurrency.stop()
      claims.stop()
      await holds.stop()
      await views.stop()
      await providers.close()
      stopReloading()
    },
  }
}

function openProviders({ config, clock, log, metrics }: Runtime): ProviderClient {
  const providers = new ProviderClient({
    clock,
    breakerCooldownMs: config.BREAKER_COOLDOWN_MS,
    onBreaker: ({ state, ...facts }) => {
      const whose = facts.companyId === undefined ? 'provider' : 'one company at a provider'
      if (state === 'closed') log.info(facts, `circuit breaker closed for ${whose}`)
      else log.warn({ ...facts, cooldownMs: config.BREAKER_COOLDOWN_MS }, `circuit breaker opened for ${whose}`)
    },
  })
  registerBreakerStates(metrics, () => providers.breakerStates())
  return providers
}

/** Waits until the read model includes the company's last call, so that a caller finds the call it has just made. */
async function caughtUp({ engines, clock }: Runtime, background: BackgroundWork, model: string, companyId: string) {
  const { database, store, feed } = engines
  await background.settled(RECORDS_WAIT_MS)
  const stream = streamName('ledger', companyId)
  for await (const last of store.readStream(stream, { direction: 'backwards', limit: 1 })) {
    await hasPassed(database, model, last.position, clock, feed.partitionOf(stream))
  }
}

function readUsageOf(runtime: Runtime, background: BackgroundWork): GatewayDependencies['readUsage'] {
  return async (query) => {
    for (const model of query.groupBy.includes('label') ? [usage, usageByLabel] : [usage]) {
      await caughtUp(runtime, background, model.name, query.companyId)
    }
    return usageByGroup(runtime.engines.database, query)
  }
}

function readCallOf(runtime: Runtime, background: BackgroundWork): GatewayDependencies['readCall'] {
  const { database } = runtime.engines
  return async (companyId, callId) => {
    const known = await callOf(database, companyId, callId)
    if (known) return known
    await caughtUp(runtime, background, 'calls', companyId)
    return callOf(database, companyId, callId)
  }
}
