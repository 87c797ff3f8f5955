import { randomUUID } from 'node:crypto'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import { ProviderClient } from '../../../capabilities/providers/providerClient.ts'
import type { AliasProviders, ProviderTable } from '../../../capabilities/providers/providersFile.ts'
import { ProviderWatch } from '../../../capabilities/providers/providerWatch.ts'
import { Redaction } from '../../../capabilities/redaction/redaction.ts'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { AliasPrice } from '../../../contracts/events/pricing.ts'
import { SCOPES, type Scope } from '../../../contracts/scopes.ts'
import { streamName } from '../../../contracts/streams.ts'
import { type Clock, systemClock } from '../../../platform/clock/clock.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { listen } from '../../../platform/http/httpServer.ts'
import { FairShare } from '../../../platform/http/limits/fairShare.ts'
import { type Ids, systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { hashRawKey } from '../../../platform/secrets/rawKeys.ts'
import { memoryRateLimits } from '../../../platform/sharedState/memorySharedState.ts'
import type { JobRow } from '../../../projections/jobs/projection.ts'
import { BackgroundWork } from '../../../services/gateway/backgroundWork.ts'
import { AbandonedStreams } from '../../../services/gateway/call/abandonedStreams.ts'
import { ANSWER_GROWTH_BYTES_MAX } from '../../../services/gateway/call/answerRoom.ts'
import { CallsInFlight } from '../../../services/gateway/call/callsInFlight.ts'
import { LateReads } from '../../../services/gateway/call/lateReads.ts'
import { createGateway } from '../../../services/gateway/createGateway.ts'
import type { GatewayDependencies } from '../../../services/gateway/dependencies.ts'
import { GatewayMetrics } from '../../../services/gateway/gatewayMetrics.ts'
import { LargeJson } from '../../../services/gateway/largeJson/largeJson.ts'
import { RateLimiter } from '../../../services/gateway/rateLimiter.ts'
import { BalanceView } from '../../../services/gateway/views/balances.ts'
import { CompanyView } from '../../../services/gateway/views/companies.ts'
import { DailyTokensView } from '../../../services/gateway/views/dailyTokens.ts'
import { InvoiceView } from '../../../services/gateway/views/invoices.ts'
import { KeySpendView } from '../../../services/gateway/views/keySpend.ts'
import { KeyView } from '../../../services/gateway/views/keys.ts'
import { LabelView } from '../../../services/gateway/views/labels.ts'
import { PriceView } from '../../../services/gateway/views/prices.ts'
import { MemoryEventStore } from '../eventStores/memoryEventStore.ts'
import { startScriptedProvider } from '../parties/scriptedProvider.ts'
import { type Answer, type CallOptions, call, type OpenStream, openStream } from './gatewayClient.ts'
import { PRICES, providersOf } from './gatewayHarness.ts'

const MINTED_AT = '2026-01-01T00:00:00.000Z'

export type MemoryGateway = Awaited<ReturnType<typeof startMemoryGateway>>

export type MemoryGatewayOptions = {
  readonly jobs?: readonly JobRow[]
  readonly clock?: Clock
  /** Settings of every alias. */
  readonly alias?: Partial<AliasProviders>
  /** Changes the providers of the aliases before the start. */
  readonly catalogue?: (table: ProviderTable) => ProviderTable
  readonly ids?: Ids
  readonly prices?: Readonly<Record<string, AliasPrice>>
  /** Replaces parts that otherwise have no effect in memory. */
  readonly parts?: Partial<Pick<GatewayDependencies, 'companyCatchUp' | 'holds'>>
}

export type KeyOptions = {
  readonly scopes?: readonly Scope[]
  readonly rpm?: number
  readonly credits?: string
  readonly models?: readonly string[]
}

/** `createGateway` with everything in memory and a scripted provider, for tests of single routes: no database. */
export async function startMemoryGateway({
  jobs = [],
  clock = systemClock,
  alias = {},
  catalogue = (table) => table,
  prices = PRICES,
  ids = systemIds,
  parts = {},
}: MemoryGatewayOptions = {}) {
  const views = {
    keys: new KeyView(),
    companies: new CompanyView(),
    invoices: new InvoiceView(),
    prices: new PriceView(),
    balances: new BalanceView(),
    dailyTokens: new DailyTokensView(),
    labels: new LabelView(),
    keySpend: new KeySpendView(),
  }
  views.prices.seed([
    {
      ...{ bookId: randomUUID(), companyId: null, effectiveFrom: MINTED_AT, prices, retired: [] },
      ...{ replacesAll: false, publishedAt: MINTED_AT, revision: '0' },
    },
  ])
  const provider = await startScriptedProvider()
  const providers = new ProviderClient({ clock })
  const providerTable = catalogue(providersOf(provider, [{}], alias))
  const registry = createMetrics()
  const metrics = new GatewayMetrics(registry)
  const { log } = openLog({ level: 'silent', file: null })
  const store = new MemoryEventStore()
  const companies: string[] = []
  const lateReads = new LateReads(clock)
  const largeJson = new LargeJson(clock)
  const answerGrowth = new FairShare(ANSWER_GROWTH_BYTES_MAX)
  const dependencies: Partial<GatewayDependencies> = {
    views: { ...views, ledgerSeen: () => ({ balanceMicros: 0n, position: '0' as never }) },
    newKeys: { isNew: () => false, find: async () => null },
    priceCurrency: { require: () => undefined },
    companyCatchUp: { hasCaughtUp: async () => false },
    rateLimiter: new RateLimiter(memoryRateLimits(clock), clock, 0),
    holds: { place: () => Promise.reject(new Error('no hard cap here')), callEnded: () => {} },
    abandonedStreams: new AbandonedStreams({
      tokens: views.dailyTokens,
      shareMax: 0.02,
      tokensMin: 200_000,
      log,
      onHit: () => metrics.limitHit('abandoned'),
    }),
    ledger: new LedgerWriter(new PursuingAppender(store, clock)),
    providers,
    providerWatch: new ProviderWatch({ clock, log, metrics: registry }),
    largeJson,
    answerGrowth,
    providerTable,
    redaction: new Redaction({ secrets: [], tables: [providerTable] }),
    readUsage: async () => [],
    readCall: async () => null,
    readReceipt: async () => null,
    callsInFlight: new CallsInFlight(),
    readJobs: async (_companyId, limit) => jobs.slice(0, limit),
    requests: new BackgroundWork(clock),
    background: new BackgroundWork(clock),
    lateReads,
    metrics,
    registry,
    internalToken: 'internal-token',
    clock,
    ids,
    log,
    trustedProxies: 0,
    ...parts,
  }
  // Without claims: the tests of Idempotency-Key need a database.
  const handler = createGateway(dependencies as GatewayDependencies)
  const server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'GATEWAY_PORT' })
  return {
    url: server.url,
    provider,
    store,
    views,
    registry,
    lateReads,
    answerGrowth,
    breakerStates: () => providers.breakerStates(),
    /** A key of a new company. */
    mintKey: ({ scopes = SCOPES, rpm = 1_000, credits = '1000000', models }: KeyOptions = {}): string => {
      const raw = `tg_${randomUUID()}`
      const companyId = randomUUID()
      companies.push(companyId)
      const fixed = {
        name: '',
        hint: '',
        models: models ?? null,
        status: 'LIVE',
        expiresAt: null,
        tpm: '1000000',
      } as const
      const dates = { rotatedFrom: null, mintedAt: MINTED_AT, revokedAt: null }
      const budget = {
        label: null,
        budgetMicros: null,
        budgetPeriod: null,
        budgetSetAt: MINTED_AT,
        mintedBy: null,
      }
      const identity = { keyId: randomUUID(), companyId, hash: hashRawKey(raw) }
      views.keys.seed([{ ...fixed, ...dates, ...budget, ...identity, scopes, rpm: String(rpm) }])
      views.balances.seed([{ companyId, balanceMicros: `${credits}000000` } as never])
      return raw
    },
    call: (path: string, options: CallOptions): Promise<Answer> => call(server.url, `/llm/v1${path}`, options),
    stream: (path: string, options: CallOptions): Promise<OpenStream> =>
      openStream(server.url, `/llm/v1${path}`, options),
    /** The ledger events of a call so far, in all companies. */
    eventsOf: (callId: string): RecordedEvent[] =>
      companies.flatMap((id) => store.stored(streamName('ledger', id))).filter(({ id }) => id === callId),
    close: async () => {
      await server.drain(100)
      await providers.close()
      await largeJson.close()
      await provider.close()
    },
  }
}
