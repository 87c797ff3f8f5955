import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SANDBOX_ALIASES } from '../../../contracts/aliases.ts'
import { type Installation, makeInstallation, UNLIMITED } from '../../support/installation.ts'
import { type HostileModels, startHostileModels } from './hostileModels.ts'
import { connectProbe, type ProbeClient } from './probeClient.ts'
import type { Target } from './target.ts'

const PROBE = pathToFileURL(join(import.meta.dirname, 'probe.mjs')).href
const PROVIDER_KEY = 'sk-secret-of-the-hostile-provider'
/** Every alias but this one is answered by the hostile provider. */
const HONEST_ALIAS = 'svc/chat-default'

export type ProcessTarget = Target & {
  readonly installation: Installation
  readonly probe: ProbeClient
}

/** `npm start` with ports and a data folder of its own, without limits of requests and with a probe inside. */
export async function startProcessTarget(settings: Readonly<Record<string, string>> = {}): Promise<ProcessTarget> {
  const models = await startHostileModels()
  const installation = await makeInstallation({
    ...UNLIMITED,
    // A circuit breaker that stays open would keep later cases away from the provider.
    ...{ BREAKER_COOLDOWN_MS: '1', HOSTILE_PROVIDER_KEY: PROVIDER_KEY, NODE_OPTIONS: `--import=${PROBE}` },
    ...settings,
  })
  const env = installation.env as Record<string, string>
  const probeSocket = join(installation.folder, 'probe.sock')
  env.ATTACK_PROBE = probeSocket
  env.PROVIDERS_FILE = join(installation.folder, 'providers.json')
  await writeFile(env.PROVIDERS_FILE, JSON.stringify({ aliases: aliasesOf(models, env.SANDBOX_PORT ?? '') }))
  try {
    await installation.startAgain()
    return await targetOf(installation, models, await connectProbe(probeSocket))
  } catch (error) {
    await installation.stop()
    await models.close()
    throw error
  }
}

function aliasesOf({ baseUrl }: HostileModels, sandboxPort: string): object {
  const hostile = { name: 'hostile-provider', baseUrl, model: 'hostile-model-1', apiKeyEnv: 'HOSTILE_PROVIDER_KEY' }
  const limits = { connectTimeoutMs: 2_000, firstByteTimeoutMs: 3_000, idleTimeoutMs: 3_000 }
  const honest = { name: 'honest-provider', baseUrl: `http://127.0.0.1:${sandboxPort}/v1`, model: 'honest-model' }
  return Object.fromEntries(
    SANDBOX_ALIASES.map((alias) => [
      alias,
      { providers: [alias === HONEST_ALIAS ? honest : { ...hostile, ...limits }] },
    ]),
  )
}

async function targetOf(installation: Installation, models: HostileModels, probe: ProbeClient): Promise<ProcessTarget> {
  const { demo, env } = installation
  const portNames = { gateway: 'GATEWAY', backend: 'BACKEND', ai: 'AI', sandbox: 'SANDBOX', mail: 'SANDBOX_SMTP' }
  return {
    installation,
    models,
    probe,
    port: (service) => (service === 'operations' ? undefined : Number(env[`${portNames[service]}_PORT`])),
    credentials: {
      key: demo.apiKey,
      internal: demo.internalToken,
      admin: demo.adminToken,
      payment: 'sk_test_of_the_attack',
      webhookSecret: demo.webhookSecret,
    },
    secrets: [PROVIDER_KEY, demo.internalToken, demo.webhookSecret, demo.adminPassword, demo.superAdminPassword],
    read: () => probe.read(),
    close: async () => {
      probe.close()
      await installation.stop()
      await models.close()
    },
  }
}
