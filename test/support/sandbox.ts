import { systemClock } from '../../services/platform/clock/clock.ts'
import { readConfig } from '../../services/platform/config/config.ts'
import { openLog } from '../../services/platform/log/log.ts'
import { createMetrics } from '../../services/platform/metrics/metrics.ts'
import { startSandbox } from '../../services/sandbox/sandbox.ts'

/** The sandbox as every installation has it, on a port of its own. */
export async function startTestSandbox(internalToken = 'internal-token-of-the-tests') {
  const sandbox = await startSandbox({
    config: readConfig({ SANDBOX_PORT: '0' }),
    secrets: { jwtSecret: '', internalToken, webhookSecret: '' },
    clock: systemClock,
    log: openLog({ level: 'silent', file: null }).log,
    metrics: createMetrics(),
  })
  return { url: sandbox.url ?? '', close: () => sandbox.drain(100) }
}
