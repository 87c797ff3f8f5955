import { join } from 'node:path'
import { deterministicId } from '../../capabilities/commands/eventId.ts'
import type { OpenRuntime } from '../../capabilities/installation.ts'
import { openRuntime } from '../../capabilities/installation.ts'
import { DEMO_ACTOR } from '../../contracts/demoActor.ts'
import { SCOPES } from '../../contracts/scopes.ts'
import { streamName } from '../../contracts/streams.ts'
import { apiKeyDecider } from '../../domain/apiKey/decider.ts'
import { companyDecider } from '../../domain/company/decider.ts'
import { parseCredits } from '../../domain/credits.ts'
import { readConfig } from '../../platform/config/config.ts'
import { newEvent } from '../../platform/eventStore/eventCodec.ts'
import { startEmbeddedPostgres } from '../../platform/postgres/embedded/embeddedPostgres.ts'
import { mintRawKey, storedPartsOf } from '../../platform/secrets/rawKeys.ts'
import {
  type DemoIdentity,
  isWhole,
  newDemoIdentity,
  readDemoFile,
  writeDemoFile,
} from '../../scripts/start/demoFile.ts'
import { prepareInstallation } from '../../scripts/start/prepareInstallation.ts'
import { firstGrant, type PastCompany, type PastLedger, pastCompanies } from './pastLedger.ts'

/** Enough for every event that is measured. */
const CREDITS = '1000000000'

/** Of the demo company, which has most of the events, so that its key and its users can be used. */
export const GROWTH_SETTINGS = {
  SANDBOX: '1',
  LOG_LEVEL: 'warn',
  IP_RPM: '0',
  DEMO_KEY_RPM: '1000000000',
  DEMO_KEY_TPM: '100000000000',
  DEMO_CREDITS: CREDITS,
} as const

/**
 * The server used for generating. Its data can be recreated, so nothing waits for the disk; `sync` writes it there at
 * the end. A killed run continues with what the server has; only a crash of the machine means starting over.
 */
const GENERATING_SERVER = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
  shared_buffers: '2GB',
  maintenance_work_mem: '1GB',
  // Generated data is vacuumed once, at the end.
  autovacuum: 'off',
} as const

export type PastInstallation = {
  readonly runtime: OpenRuntime
  readonly ledger: PastLedger
  /** The number of ledger events in the store. */
  entries(): Promise<number>
  close(): Promise<void>
}

/** Opens the installation in the folder without services. Companies and keys are created once. */
export async function openPastInstallation(
  dataDir: string,
  past: Pick<PastLedger, 'events' | 'untilMs'>,
): Promise<PastInstallation> {
  const postgres = await startEmbeddedPostgres({ dataDir, settings: GENERATING_SERVER })
  try {
    const config = readConfig({ DATA_DIR: dataDir, ...GROWTH_SETTINGS })
    const logFile = join(dataDir, 'bench.log')
    const runtime = await openRuntime({ config, database: postgres.url, log: logFile, name: 'bench' })
    const close = async () => {
      await runtime.close()
      await postgres.stop()
    }
    try {
      const demo = await demoOf(dataDir)
      await grantInThePast(runtime, demo, past)
      await prepareInstallation(runtime)
      const companies = pastCompanies(demo)
      await registerCompanies(runtime, companies)
      return { runtime, ledger: { ...past, companies }, entries: () => entriesIn(runtime), close }
    } catch (error) {
      await runtime.close()
      throw error
    }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

async function entriesIn({ engines }: OpenRuntime): Promise<number> {
  const [row] = await engines.database.query<{ entries: string }>(
    `select coalesce(sum(revision + 1), 0)::text as entries from event_store.streams where stream like 'ledger-%'`,
  )
  return Number(row?.entries)
}

async function demoOf(dataDir: string): Promise<DemoIdentity> {
  const stored = await readDemoFile(dataDir)
  if (stored && isWhole(stored)) return stored
  const demo = newDemoIdentity()
  await writeDemoFile(dataDir, demo)
  return demo
}

/** The grant that the demo is seeded with, stored before any of its calls: the ledger's times must increase. */
async function grantInThePast(
  { engines }: OpenRuntime,
  { companyId }: DemoIdentity,
  past: Pick<PastLedger, 'events' | 'untilMs'>,
): Promise<void> {
  const at = firstGrant(past)
  const { eventId, event } = engines.ledger.draft({
    type: 'GrantCredits',
    companyId,
    grantId: deterministicId(`demo:${companyId}:grant`),
    source: 'ADJUSTMENT',
    amountMicros: parseCredits(CREDITS),
    reason: 'demo credits',
    at,
  })
  const cause = { correlationId: companyId, causationId: companyId, actor: DEMO_ACTOR, recordedAt: at }
  await engines.store.append(streamName('ledger', companyId), 'any', [newEvent(eventId, event, cause)])
}

/** Registers the companies other than the demo's, and mints the keys other than the demo key. */
async function registerCompanies(runtime: OpenRuntime, companies: readonly PastCompany[]): Promise<void> {
  for (const [n, { companyId, keyIds }] of companies.entries()) {
    const isDemo = n === 0
    if (!isDemo) {
      const at = new Date(runtime.clock.now()).toISOString()
      await runtime.engines.commands.handle(
        companyDecider,
        streamName('company', companyId),
        { type: 'RegisterCompany', companyId, name: `Company ${n}`, billingMode: 'PREPAID', at },
        contextOf(companyId, companyId),
      )
    }
    for (const keyId of isDemo ? keyIds.slice(1) : keyIds) await mint(runtime, companyId, keyId)
  }
}

async function mint({ engines, clock }: OpenRuntime, companyId: string, keyId: string): Promise<void> {
  const stream = streamName('apiKey', keyId)
  for await (const _ of engines.store.readStream(stream, { limit: 1 })) return
  const at = new Date(clock.now()).toISOString()
  await engines.commands.handle(
    apiKeyDecider,
    stream,
    {
      ...{ type: 'MintApiKey', keyId, companyId, name: 'Another key', ...storedPartsOf(mintRawKey().raw) },
      ...{ scopes: SCOPES, models: null, rpm: 600, tpm: 200_000, expiresAt: null, label: null },
      ...{ budget: null, rotatedFrom: null, at },
    },
    contextOf(companyId, keyId),
  )
}

function contextOf(companyId: string, what: string) {
  return { commandId: deterministicId(`growth:${companyId}:${what}`), correlationId: companyId, actor: DEMO_ACTOR }
}
