import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../../platform/clock/clock.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { startSandbox } from '../../../services/sandbox/sandbox.ts'

export type TestSandboxOptions = {
  readonly internalToken?: string
  readonly webhookSecret?: string
  /** The backend that receives payment events; without one, an unused port. */
  readonly backendPort?: number
  /** The folder of an earlier sandbox, to continue with its data. By default a temporary one. */
  readonly dataDir?: string
  readonly clock?: Clock
  readonly settings?: Readonly<Record<string, string>>
}

export type TestSandbox = Awaited<ReturnType<typeof startTestSandbox>>

/** A sandbox like that of every installation, on its own ports. */
export async function startTestSandbox(options: TestSandboxOptions = {}) {
  const { internalToken = 'internal-token-of-the-tests', webhookSecret = 'whsec_of_the_tests' } = options
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'tollgate-sandbox-'))
  const sandbox = await startSandbox({
    config: readConfig({
      SANDBOX_PORT: '0',
      SANDBOX_SMTP_PORT: '0',
      BACKEND_PORT: String(options.backendPort ?? 1),
      DATA_DIR: dataDir,
      ...options.settings,
    }),
    secrets: { jwtSecret: '', internalToken, webhookSecret },
    clock: options.clock ?? systemClock,
    ids: systemIds,
    log: openLog({ level: 'silent', file: null }).log,
    metrics: createMetrics(),
    tracing: null,
  })
  return {
    url: sandbox.url,
    smtpUrl: sandbox.smtpUrl,
    close: async () => {
      await sandbox.drain(100)
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
