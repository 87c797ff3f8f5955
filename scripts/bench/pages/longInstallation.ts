import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROJECTIONS } from '../../../projections/catalogue.ts'
import { startBackend } from '../../../services/backend/backend.ts'
import { systemClock } from '../../../services/platform/clock/clock.ts'
import { readConfig } from '../../../services/platform/config/config.ts'
import { type OpenRuntime, openRuntime } from '../../../services/platform/openRuntime.ts'
import { startEmbeddedPostgres } from '../../../services/platform/postgres/embedded/embeddedPostgres.ts'
import { signAccessToken } from '../../../services/platform/secrets/accessTokens.ts'
import type { DemoUsers } from '../../start/demoUsers.ts'
import { prepareInstallation } from '../../start/prepareInstallation.ts'
import { aCharge } from '../benchDatabase.ts'
import { appendCalls, buildModel } from '../longLedger.ts'
import { sealUntil } from '../proof/sealedLog.ts'
import type { MeasuredBackend } from './openPage.ts'
import type { PageFacts } from './pageOperations.ts'

const DAYS = 90
const DAY_MS = 86_400_000
const LABELS = ['search', 'interviews', 'support', 'indexing', 'reports', null]
const TOKEN_SECONDS = 6 * 3_600

/** The backend of an installation whose demo company has made so many calls within ninety days. */
export type LongInstallation = MeasuredBackend

/**
 * Makes an installation and deletes it afterwards. The calls are events that our own store appended, with times that a
 * restore would keep; the read models are those that our own projections make of them, and the log is that of our own sealer.
 */
export async function withLongInstallation<Result>(
  calls: number,
  work: (installation: LongInstallation) => Promise<Result>,
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-bench-pages-'))
  const postgres = await startEmbeddedPostgres({ dataDir })
  try {
    const config = readConfig({ DATA_DIR: dataDir, SANDBOX: '1', BACKEND_PORT: '0', DEMO_CREDITS: '1000000' })
    const logFile = join(dataDir, 'bench.log')
    const runtime = await openRuntime({ config, databaseUrl: postgres.url, logFile, name: 'bench' })
    try {
      const demo = await prepareInstallation(runtime)
      if (!demo) throw new Error('the installation of the benchmark has no demo')
      const facts = await fill(runtime, demo, calls)
      const backend = await startBackend(runtime)
      try {
        return await work({ url: backend.url ?? '', facts, tokens: await tokensOf(runtime, demo) })
      } finally {
        await backend.drain(1_000)
      }
    } finally {
      await runtime.close()
    }
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function fill(runtime: OpenRuntime, { companyId, keyId }: DemoUsers, calls: number): Promise<PageFacts> {
  const { engines } = runtime
  const { database, store } = engines
  const beginMs = systemClock.now() - DAYS * DAY_MS
  const charge = (n: number) => {
    const at = new Date(beginMs + Math.floor((n / calls) * DAYS * DAY_MS)).toISOString()
    return aCharge(companyId, keyId, n, { at, label: LABELS[n % LABELS.length] ?? null })
  }
  process.stderr.write(`  appending ${calls.toLocaleString('en')} calls\n`)
  const callIds: string[] = []
  await appendCalls(store, companyId, calls, (n) => {
    const event = charge(n)
    // The event that ends a call has the id of the call.
    if (n === Math.floor(calls / 2) || n === calls - 1) callIds.push(event.id)
    return event
  })
  for (const projection of PROJECTIONS) {
    process.stderr.write(`  building ${projection.name}\n`)
    await buildModel(engines, projection)
  }
  process.stderr.write('  sealing\n')
  await sealUntil(engines, { entries: calls, signed: true })
  await database.query('vacuum analyze')
  const [callId = '', lastEntryId = ''] = callIds
  return { companyId, callId, lastEntryId }
}

async function tokensOf({ secrets, clock }: OpenRuntime, demo: DemoUsers): Promise<LongInstallation['tokens']> {
  const token = (userId: string, email: string) => {
    const subject = { userId, email, version: demo.tokenVersions.get(userId) ?? 0 }
    return signAccessToken(secrets.jwtSecret, subject, clock.now(), TOKEN_SECONDS)
  }
  return {
    admin: await token(demo.adminId, demo.adminEmail),
    superAdmin: await token(demo.superAdminId, demo.superAdminEmail),
  }
}
