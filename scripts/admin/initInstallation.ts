import { mkdir } from 'node:fs/promises'
import type { Installation } from '../../capabilities/installation.ts'
import { configuredProviders } from '../../capabilities/providers/configuredProviders.ts'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import { readConfig, requireSettings } from '../../platform/config/config.ts'
import { serviceUrl } from '../../platform/http/httpServer.ts'
import { withInstallation } from '../cli/withInstallation.ts'
import { currentPrices, type InitResult, publishPrices, runInit } from './init.ts'
import { type InitOptions, initPlan, isOnlyPrices, namedPrices } from './initPlan.ts'
import { questionsTo } from './questions.ts'

type Options = InitOptions & { readonly json?: boolean | undefined }

/** Takes a new installation to its first call, with or without a running `npm start`, or only adds prices. */
export async function initInstallation({ json = false, ...options }: Options): Promise<number> {
  const config = readConfig(process.env)
  requireSettings(config, ['PROVIDERS_FILE'])
  const providers = configuredProviders(config)
  if (isOnlyPrices(options)) return addPrices(options, providers, json)
  const questions = questionsTo(process.stdin, (text) => process.stderr.write(text))
  // A wrong option is refused before a database is created.
  if (!questions.isInteractive) await initPlan(options, [], questions)
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 })
  const result = await withInstallation(
    async (engines) => {
      const plan = await initPlan(options, await unpricedOf(engines, providers), questions)
      return runInit(engines, config, plan, questions)
    },
    { creates: true },
  )
  const gatewayUrl = `${serviceUrl(config.HOST, config.GATEWAY_PORT)}/llm/v1`
  const shown = json ? `${JSON.stringify({ ...result, gatewayUrl }, null, 2)}\n` : textOf(result, gatewayUrl, providers)
  process.stdout.write(shown)
  return 0
}

async function addPrices(options: InitOptions, providers: ProviderTable, json: boolean): Promise<number> {
  const priced = await withInstallation(async (engines) => {
    const prices = namedPrices(options, await unpricedOf(engines, providers))
    return publishPrices(engines, { prices })
  })
  process.stdout.write(json ? `${JSON.stringify({ priced }, null, 2)}\n` : `${pricesLine(priced)}\n`)
  return 0
}

async function unpricedOf(engines: Installation, providers: ProviderTable): Promise<string[]> {
  const prices = await currentPrices(engines)
  return Object.keys(providers).filter((alias) => !prices.has(alias))
}

function pricesLine(priced: readonly string[]): string {
  return `Prices: ${priced.length > 0 ? `published for ${priced.join(', ')}` : 'unchanged'}`
}

function textOf(
  { superAdmin, company, user, priced, creditsGranted, key }: InitResult,
  url: string,
  table: ProviderTable,
) {
  const was = (created: boolean) => (created ? 'created' : 'exists')
  const alias = Object.keys(table).find((name) => table[name]?.providers[0].wires?.includes('chat') ?? true)
  const body = `{"model":"${alias}","messages":[{"role":"user","content":"Hello"}]}`
  const lines = [
    `Super admin ${superAdmin.email}: ${was(superAdmin.created)}`,
    `Company ${company.name} (${company.companyId}): ${was(company.created)}`,
    `Admin of the company ${user.email}: ${was(user.created)}`,
    pricesLine(priced),
    `Credits: ${creditsGranted === null ? 'unchanged' : `${creditsGranted} granted`}`,
    key.secret === null
      ? `Key ${key.name}: exists; --key-name mints another one`
      : `Key ${key.name}, shown only once: ${key.secret}`,
    ...(key.secret === null
      ? []
      : [
          'Call it with this key in $KEY, while "npm start" runs:',
          `  curl -s ${url}/chat/completions -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '${body}'`,
        ]),
  ]
  return `${lines.join('\n')}\n`
}
