import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DEFAULT_WIRES, type WireName } from '../../../capabilities/providers/wires.ts'
import { SANDBOX_ALIASES } from '../../../contracts/aliases.ts'
import { type Installation, makeInstallation, UNLIMITED } from '../../support/harness/installation.ts'
import { type HostileModels, startHostileModels } from './hostileModels.ts'
import { connectProbe, type ProbeClient } from './probeClient.ts'
import type { Target } from './target.ts'

const PROBE = pathToFileURL(join(import.meta.dirname, 'probe.mjs')).href
const PROVIDER_KEY = 'sk-secret-of-the-hostile-provider'
/** Every alias but this one is answered by the hostile provider. */
export const HONEST_ALIAS = 'svc/chat-default'
/** The hostile provider has Responses only under this one. */
const RESPONSES_ALIAS = 'svc/chat-premium'

/** How long the hostile provider may be silent. A case that makes it silent has to wait that long. */
const SILENCE_MS_MAX = 3_000

export type ProcessTarget = Target & {
  readonly installation: Installation
  readonly probe: ProbeClient
}

/** `npm start` with ports and a data folder of its own, without limits of requests and with a probe inside. */
export async function startProcessTarget({ silenceMsMax = SILENCE_MS_MAX } = {}): Promise<ProcessTarget> {
  const models = await startHostileModels()
  const installation = await makeInstallation({
    ...UNLIMITED,
    // Callers that leave early are part of the attack, and would not be served any more.
    ABANDONED_TOKENS_FLOOR: '999999999999',
    // A circuit breaker that stays open would keep later cases away from the provider.
    ...{ BREAKER_COOLDOWN_MS: '1', HOSTILE_PROVIDER_KEY: PROVIDER_KEY, NODE_OPTIONS: `--import=${PROBE}` },
  })
  const env = installation.env as Record<string, string>
  const probeSocket = join(installation.folder, 'probe.sock')
  env.ATTACK_PROBE = probeSocket
  env.PROVIDERS_FILE = join(installation.folder, 'providers.json')
  await writeFile(
    env.PROVIDERS_FILE,
    JSON.stringify({ aliases: aliasesOf(models, { sandboxPort: env.SANDBOX_PORT ?? '', silenceMsMax }) }),
  )
  try {
    await installation.startAgain()
    const target = await targetOf(installation, models, await connectProbe(probeSocket))
    await untilLoaded(target)
    return target
  } catch (error) {
    await installation.stop()
    await models.close()
    throw error
  }
}

/** GraphQL and MCP are loaded after the start, in pieces that are no fault of what is sent meanwhile. */
async function untilLoaded({ port, credentials, probe }: ProcessTarget): Promise<void> {
  const ask = async (url: string, token: string, body: object) => {
    const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const headers = { ...types, authorization: `Bearer ${token}`, connection: 'close' }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 300)}`)
  }
  await ask(`http://127.0.0.1:${port('backend')}/graphql`, credentials.admin, { query: '{ whoAmI { id } }' })
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  await ask(`http://127.0.0.1:${port('gateway')}/llm/v1/mcp`, credentials.key, list)
  await probe.read()
}

type AliasOptions = { readonly sandboxPort: string; readonly silenceMsMax: number }

function aliasesOf({ baseUrl }: HostileModels, { sandboxPort, silenceMsMax }: AliasOptions): object {
  const hostile = { name: 'hostile-provider', baseUrl, model: 'hostile-model-1', apiKeyEnv: 'HOSTILE_PROVIDER_KEY' }
  const limits = { connectTimeoutMs: 2_000, firstByteTimeoutMs: silenceMsMax, idleTimeoutMs: silenceMsMax }
  const honest = { name: 'honest-provider', baseUrl: `http://127.0.0.1:${sandboxPort}/v1`, model: 'honest-model' }
  return Object.fromEntries(
    SANDBOX_ALIASES.map((alias) => [
      alias,
      { providers: [alias === HONEST_ALIAS ? honest : { ...hostile, ...limits, wires: wiresOf(alias) }] },
    ]),
  )
}

function wiresOf(alias: string): readonly WireName[] {
  return alias === RESPONSES_ALIAS ? [...DEFAULT_WIRES, 'responses'] : DEFAULT_WIRES
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
