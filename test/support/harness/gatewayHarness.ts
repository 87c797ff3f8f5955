import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReaderLimits } from '../../../capabilities/documents/documentReader.ts'
import type { Runtime } from '../../../capabilities/installation.ts'
import { openInstallation } from '../../../capabilities/installation.ts'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import type { AliasProviders, Provider, ProviderTable } from '../../../capabilities/providers/providersFile.ts'
import { WIRES } from '../../../capabilities/providers/wires.ts'
import { SANDBOX_ALIASES } from '../../../contracts/aliases.ts'
import type { Recorded } from '../../../contracts/envelope.ts'
import type { BillingMode } from '../../../contracts/events/company.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import type { AliasPrice } from '../../../contracts/events/pricing.ts'
import { PRICE_LEAD_MS } from '../../../contracts/priceLead.ts'
import { DEFAULT_SCOPES, type Scope } from '../../../contracts/scopes.ts'
import { PRICING_STREAM, streamName } from '../../../contracts/streams.ts'
import { apiKeyDecider, type KeySettings } from '../../../domain/apiKey/decider.ts'
import { companyDecider } from '../../../domain/company/decider.ts'
import { parseCredits } from '../../../domain/credits.ts'
import { type Clock, isoTime, systemClock } from '../../../platform/clock/clock.ts'
import { readConfig } from '../../../platform/config/config.ts'
import type { Engines } from '../../../platform/engines.ts'
import { newEvent } from '../../../platform/eventStore/eventCodec.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { mintRawKey } from '../../../platform/secrets/rawKeys.ts'
import type { RateLimits } from '../../../platform/sharedState/port.ts'
import { openTracing } from '../../../platform/tracing/openTracing.ts'
import { PROJECTIONS } from '../../../projections/catalogue.ts'
import type { Feed } from '../../../projections/runner/ports.ts'
import { hasPassed } from '../../../projections/runner/readAfterWrite.ts'
import { startGateway } from '../../../services/gateway/startGateway.ts'
import { prepareReadModels, startProjector } from '../../../services/projector/projector.ts'
import type { Through } from '../engines/harnessEngines.ts'
import { openHarnessEngines } from '../engines/openHarnessEngines.ts'
import { collect } from '../events/events.ts'
import {
  PROVIDER_KEY,
  PROVIDER_MODEL,
  type ScriptedProvider,
  startScriptedProvider,
} from '../parties/scriptedProvider.ts'
import { until } from '../time/until.ts'
import { type Answer, type CallOptions, CHAT, call, type OpenStream, openStream } from './gatewayClient.ts'

export type HarnessOptions = {
  /** Additional settings; the rate limit per address is off by default. */
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: Clock
  readonly provider?: Partial<Provider>
  /** Several providers for each alias, in this order; `provider` is then ignored. */
  readonly providers?: readonly Partial<Provider>[]
  readonly projector?: boolean
  /** How long a charge with unknown outcome is retried while its caller waits, and the timeout of one append. */
  readonly pursuitMs?: number
  readonly appendTimeoutMs?: number
  /** A proxy between the gateway and the event store; if embedded, to the whole database. */
  readonly through?: Through
  /** On production engines: use a fake EventStoreDB that fails on demand. */
  readonly standIn?: boolean
  readonly feed?: (feed: Feed) => Feed
  readonly rateLimits?: (limits: RateLimits) => RateLimits
  readonly credits?: string
  /** Limits of the processes that read documents. */
  readonly documents?: Partial<ReaderLimits>
}

export type TestKey = { readonly keyId: string; readonly raw: string; readonly companyId: string }
export type KeyChanges = {
  readonly scopes?: readonly Scope[]
  readonly models?: readonly string[] | null
  readonly rpm?: number
  readonly tpm?: number
  readonly expiresAt?: string | null
  readonly label?: string | null
  readonly budget?: KeySettings['budget']
  readonly rotatedFrom?: string | null
}

/** A call of 1,000 tokens in and 500 out on chat-default costs 1.25 credits. */
export const PRICES: Readonly<Record<string, AliasPrice>> = Object.fromEntries(
  SANDBOX_ALIASES.map((alias) => [alias, price(alias === 'svc/chat-premium' ? 3_000_000_000 : 500_000_000)]),
)
const TOOL_RATES = { 'tool:web_search': '1', 'tool:code_interpreter': '1', 'tool:image_generation': '1' }
/** The same, and next to nothing for calls of hosted tools. */
export const TOOL_PRICES: Readonly<Record<string, AliasPrice>> = Object.fromEntries(
  Object.entries(PRICES).map(([alias, each]) => [alias, { ...each, unitRates: TOOL_RATES }]),
)
export const INTERNAL_TOKEN = 'internal-token-of-the-tests'
/** How soon a gateway follows a change of a key: a second is promised, and a busy machine takes many times as long. */
export const FOLLOWED_MS_MAX = 15_000
const ACTOR = { kind: 'system', name: 'test' } as const

export function price(input: number, output = 3 * input): AliasPrice {
  return { rates: { input: String(input), output: String(output) } }
}

export type GatewayHarness = Awaited<ReturnType<typeof startGatewayHarness>>

/**
 * A gateway on its own engines, with a company that has credits, a key, prices, and a scripted provider. The
 * engines are the embedded ones in `npm test` and the production ones in `npm run test:engines`.
 */
export async function startGatewayHarness(options: HarnessOptions = {}) {
  const { clock = systemClock, through = (url: string) => url } = options
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-gateway-'))
  const own = await openHarnessEngines({ through, standIn: options.standIn })
  const provider = await startScriptedProvider()
  const config = readConfig({ GATEWAY_PORT: '0', IP_RPM: '0', DATA_DIR: folder, ...own.settings, ...options.env })
  const logFile = join(folder, 'gateway.log')
  const { log, close: closeLog } = openLog({ level: config.LOG_LEVEL, file: logFile })
  const tracing = await openTracing(config, { clock, ids: systemIds, log, name: 'gateway' })
  const engines = await openInstallation(
    config,
    own.gatewayDatabaseUrl,
    { clock, ids: systemIds, log, tracing },
    { admitsCalls: true },
  )
  const { rateLimits } = engines.sharedState
  const writerStore = own.openStore(engines, { clock, log, appendTimeoutMs: options.appendTimeoutMs })
  const runtime: Runtime = {
    config,
    secrets: { jwtSecret: 'x'.repeat(32), internalToken: INTERNAL_TOKEN, webhookSecret: 'whsec_of_the_tests' },
    engines: {
      ...engines,
      feed: options.feed?.(engines.feed) ?? engines.feed,
      sharedState: { ...engines.sharedState, rateLimits: options.rateLimits?.(rateLimits) ?? rateLimits },
      ledger: new LedgerWriter(new PursuingAppender(writerStore, clock, options.pursuitMs)),
    },
    clock,
    ids: systemIds,
    log,
    metrics: createMetrics(),
    tracing,
  }
  await prepareReadModels(runtime)

  const seed = seeding(runtime, engines.ledger)
  const companyId = await seed.registerCompany({ credits: options.credits ?? '1000' })
  await seed.publishPrices(PRICES)
  const key = await seed.mintKey(companyId)
  const relay = await own.startRelay(runtime)
  const projector = options.projector === false ? null : await startProjector(runtime)
  const providerTable = providersOf(provider, options.providers ?? [options.provider ?? {}])
  const gateway = await startGateway(runtime, providerTable, options.documents)
  if (projector && relay) await untilProjected(engines)
  const url = gateway.url ?? ''

  const ledgerOf = (company: string) => collect(engines.store.readStream(streamName('ledger', company)))
  const eventsOf = async (callId: string, company: string = companyId): Promise<Recorded<LedgerEvent>[]> =>
    (await ledgerOf(company)).filter(({ data }) => 'callId' in data && data.callId === callId)

  let drained: Promise<void> | null = null
  const drain = (timeoutMs = 1_000) => {
    drained ??= gateway.drain(timeoutMs)
    return drained
  }
  return {
    ...seed,
    url,
    databaseUrl: own.databaseUrl,
    holdLedger: own.holdLedger,
    storeNode: own.storeNode,
    redis: own.redis,
    runtime,
    provider,
    providerTable,
    companyId,
    key,
    logFile,
    ledgerOf,
    eventsOf,
    drain,
    call: (path: string, callOptions: CallOptions = {}): Promise<Answer> =>
      call(url, path, { key: key.raw, ...callOptions }),
    chat: (body: CallOptions['body'], callOptions: CallOptions = {}): Promise<Answer> =>
      call(url, CHAT, { key: key.raw, ...callOptions, body }),
    stream: (body: CallOptions['body'], callOptions: CallOptions = {}): Promise<OpenStream> =>
      openStream(url, CHAT, { key: key.raw, ...callOptions, body }),
    /** How the call ended on the ledger, once it did. */
    ending: (callId: string, company: string = companyId): Promise<Recorded<LedgerEvent>> =>
      until(`call ${callId} ends on the ledger`, async () => (await eventsOf(callId, company))[0]),
    /** Mints a key and waits until the gateway accepts it. */
    mintKey: async (company: string = companyId, changes: KeyChanges = {}): Promise<TestKey> => {
      const minted = await seed.mintKey(company, changes)
      // On a busy machine a gateway answers 503 to a new key, until its view has caught up.
      const isKnown = async () => ![401, 503].includes((await call(url, '/llm/v1/models', { key: minted.raw })).status)
      await until('the key is known', isKnown)
      return minted
    },
    /** Waits until the gateway knows the credits of a company: ledgers arrive through the feed, later than keys. */
    untilCredited: (raw: string, credits: number): Promise<unknown> =>
      until('the gateway knows the credits', async () => {
        const { json } = await call(url, '/llm/v1/usage', { key: raw })
        return json.balance?.credits === credits
      }),
    flushLog: () => closeLog(),
    close: async () => {
      await drain()
      await projector?.drain(1_000)
      await relay?.drain(1_000)
      await tracing?.close()
      await writerStore.close()
      await engines.close()
      closeLog()
      await provider.close()
      await own.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until every read model has the seeded events, so that the first test does not wait for consumers to join. */
async function untilProjected({ store, database }: Engines): Promise<void> {
  const head = await store.head()
  for (const { name } of PROJECTIONS) {
    await until(`${name} is projected`, () => hasPassed(database, name, head, systemClock))
  }
}

export function providersOf(
  provider: ScriptedProvider,
  changes: readonly Partial<Provider>[],
  alias: Partial<AliasProviders> = {},
): ProviderTable {
  const entry: Provider = {
    name: 'vendor-one',
    baseUrl: provider.baseUrl,
    model: PROVIDER_MODEL,
    apiKey: PROVIDER_KEY,
    wires: WIRES,
    connectTimeoutMs: 10_000,
    firstByteTimeoutMs: 10_000,
    idleTimeoutMs: 10_000,
  }
  const providers = changes.map((each) => ({ ...entry, ...each })) as [Provider, ...Provider[]]
  // One alias has no provider.
  const answered = SANDBOX_ALIASES.filter((name) => name !== 'svc/extract-fast')
  return Object.fromEntries(answered.map((name) => [name, { maxOutputTokens: 4_096, providers, ...alias }]))
}

/** Sends the commands that an admin's requests lead to. */
export function seeding({ engines, clock }: Runtime, ledger: LedgerWriter) {
  const context = () => ({ commandId: randomUUID(), correlationId: 'test', actor: ACTOR })
  const at = () => isoTime(clock.now())
  const grant = (companyId: string, credits: string) => {
    const grantId = randomUUID()
    const amount = { source: 'ADJUSTMENT', amountMicros: parseCredits(credits), reason: 'test', at: at() } as const
    return ledger.book(ledger.draft({ type: 'GrantCredits', companyId, grantId, ...amount }), grantId, ACTOR)
  }
  return {
    grant,
    registerCompany: async ({
      credits,
      billingMode = 'PREPAID',
    }: {
      credits?: string
      billingMode?: BillingMode
    } = {}) => {
      const companyId = randomUUID()
      const command = { type: 'RegisterCompany', companyId, name: 'Test Ltd', billingMode, at: at() } as const
      await engines.commands.handle(companyDecider, streamName('company', companyId), command, context())
      if (credits) await grant(companyId, credits)
      return companyId
    },
    setCreditLimit: (companyId: string, limitMicros: bigint | null) =>
      engines.commands.handle(
        companyDecider,
        streamName('company', companyId),
        { type: 'ChangeCreditLimit', companyId, limitMicros, at: at() },
        context(),
      ),
    setHardCap: (companyId: string, hardCap: boolean) =>
      engines.commands.handle(
        companyDecider,
        streamName('company', companyId),
        { type: 'ChangeHardCap', companyId, hardCap, at: at() },
        context(),
      ),
    mintKey: async (companyId: string, changes: KeyChanges = {}): Promise<TestKey> => {
      const keyId = randomUUID()
      const { raw, hash, hint } = mintRawKey()
      const command = {
        ...({
          type: 'MintApiKey',
          keyId,
          companyId,
          name: 'Test key',
          hash,
          hint,
          rotatedFrom: null,
          at: at(),
        } as const),
        ...{ scopes: DEFAULT_SCOPES, models: null, rpm: 100_000, tpm: 100_000_000_000, expiresAt: null },
        ...{ label: null, budget: null },
        ...changes,
      }
      await engines.commands.handle(apiKeyDecider, streamName('apiKey', keyId), command, context())
      return { keyId, raw, companyId }
    },
    update: (keyId: string, changes: Partial<KeySettings>) =>
      engines.commands.handle(
        apiKeyDecider,
        streamName('apiKey', keyId),
        { type: 'UpdateApiKey', keyId, changes, at: at() },
        context(),
      ),
    revoke: (keyId: string) =>
      engines.commands.handle(
        apiKeyDecider,
        streamName('apiKey', keyId),
        { type: 'RevokeApiKey', keyId, at: at() },
        context(),
      ),
    publishPrices: async (prices: Readonly<Record<string, AliasPrice>>) => {
      const bookId = randomUUID()
      const at = isoTime(clock.now() - PRICE_LEAD_MS)
      const changes = { companyId: null, prices, retired: [], replacesAll: false }
      // Without the lead time of a command, so that it is in force at once.
      const data = { bookId, effectiveFrom: at, publishedAt: at, ...changes }
      const cause = { correlationId: 'test', causationId: bookId, actor: ACTOR }
      const book = newEvent(randomUUID(), { type: 'PriceBookPublished', data }, cause)
      await engines.store.append(PRICING_STREAM, 'any', [book])
      return bookId
    },
  }
}
