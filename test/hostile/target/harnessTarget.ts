import { operationsRoutes } from '../../../capabilities/runService.ts'
import { createApp } from '../../../platform/http/createApp.ts'
import { serviceGuards } from '../../../platform/http/guards.ts'
import { listen } from '../../../platform/http/httpServer.ts'
import { startAi } from '../../../services/ai/ai.ts'
import { startBackendHarness } from '../../support/harness/backendHarness.ts'
import { startTestSandbox } from '../../support/harness/sandbox.ts'
import { PROVIDER_KEY } from '../../support/parties/scriptedProvider.ts'
import { watchStalls } from '../../support/time/eventLoopStall.ts'
import { startHostileModels } from './hostileModels.ts'
import type { Target } from './target.ts'

export type HarnessTarget = Target & { readonly harness: Awaited<ReturnType<typeof startBackendHarness>> }

/** All services in this process, on engines of their own. Stalls and memory are those of the attacker too. */
export async function startHarnessTarget(): Promise<HarnessTarget> {
  const models = await startHostileModels()
  const harness = await startBackendHarness({
    env: { AI_PORT: '0', SANDBOX: '1', BREAKER_COOLDOWN_MS: '1', ABANDONED_TOKENS_FLOOR: '999999999999' },
    provider: { baseUrl: models.baseUrl },
  })
  const { runtime } = harness
  const { secrets, clock, ids, log } = runtime
  const ai = await startAi(runtime, harness.providerTable)
  const sandbox = await startTestSandbox({ internalToken: secrets.internalToken })
  const guards = serviceGuards(secrets.internalToken)
  const handler = createApp({ routes: operationsRoutes(runtime), guards, clock, ids, log })
  const operations = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'PROJECTOR_PORT', clock })
  const urls = {
    gateway: harness.gatewayUrl,
    backend: harness.url,
    ai: ai.url ?? '',
    sandbox: sandbox.url,
    operations: operations.url,
    mail: sandbox.smtpUrl.replace('smtp:', 'http:'),
  }
  const stalls = watchStalls()
  return {
    harness,
    models,
    port: (service) => Number(new URL(urls[service]).port),
    credentials: {
      key: harness.key.raw,
      internal: secrets.internalToken,
      admin: harness.admin.token,
      payment: 'sk_test_of_the_attack',
      webhookSecret: secrets.webhookSecret,
    },
    secrets: [PROVIDER_KEY, secrets.internalToken, secrets.jwtSecret, secrets.webhookSecret],
    read: async () => {
      const { cpuMs } = stalls.longest()
      stalls.reset()
      return { stallMs: cpuMs, rssPeakMb: process.resourceUsage().maxRSS / 1024 }
    },
    close: async () => {
      stalls.stop()
      await operations.drain(100)
      await ai.drain(1_000)
      await sandbox.close()
      await harness.close()
      await models.close()
    },
  }
}
