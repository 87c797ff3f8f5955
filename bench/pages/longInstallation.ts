import { join } from 'node:path'
import type { OpenRuntime } from '../../capabilities/installation.ts'
import { openRuntime } from '../../capabilities/installation.ts'
import { readConfig } from '../../platform/config/config.ts'
import { startEmbeddedPostgres } from '../../platform/postgres/embedded/embeddedPostgres.ts'
import { signAccessToken } from '../../platform/secrets/accessTokens.ts'
import type { DemoUsers } from '../../scripts/start/demoUsers.ts'
import { prepareInstallation } from '../../scripts/start/prepareInstallation.ts'
import { startBackend } from '../../services/backend/backend.ts'
import { fill } from './longHistory.ts'
import type { MeasuredBackend } from './openPage.ts'
import type { PageFacts } from './pageOperations.ts'

const TOKEN_SECONDS = 6 * 3_600

/** The backend of an installation whose demo company has made this many calls within ninety days. */
export type LongInstallation = MeasuredBackend

/** Creates an installation in the folder, as far as an earlier run has not, and runs its backend. */
export async function withLongInstallation<Result>(
  folder: string,
  calls: number,
  work: (installation: LongInstallation) => Promise<Result>,
): Promise<Result> {
  return withFilled(folder, calls, async (runtime, demo, facts) => {
    const backend = await startBackend(runtime)
    try {
      return await work({ url: backend.url ?? '', facts, tokens: await tokensOf(runtime, demo) })
    } finally {
      await backend.drain(1_000)
    }
  })
}

/** Only creates the installation. */
export function prepareLongInstallation(folder: string, calls: number): Promise<void> {
  return withFilled(folder, calls, async () => {})
}

async function withFilled<Result>(
  folder: string,
  calls: number,
  work: (runtime: OpenRuntime, demo: DemoUsers, facts: PageFacts) => Promise<Result>,
): Promise<Result> {
  const dataDir = join(folder, `${calls}-calls`)
  const postgres = await startEmbeddedPostgres({ dataDir })
  try {
    const config = readConfig({ DATA_DIR: dataDir, SANDBOX: '1', BACKEND_PORT: '0', DEMO_CREDITS: '1000000' })
    const logFile = join(dataDir, 'bench.log')
    const runtime = await openRuntime({ config, database: postgres.url, log: logFile, name: 'bench' })
    try {
      const demo = await prepareInstallation(runtime)
      if (!demo) throw new Error('the installation of the benchmark has no demo')
      return await work(runtime, demo, await fill(runtime, demo, { calls, doneFile: join(dataDir, 'done.json') }))
    } finally {
      await runtime.close()
    }
  } finally {
    await postgres.stop()
  }
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
