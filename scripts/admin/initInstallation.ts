import { mkdir } from 'node:fs/promises'
import { configuredProviders } from '../../capabilities/providers/configuredProviders.ts'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import { readConfig, requireSettings } from '../../platform/config/config.ts'
import { serviceUrl } from '../../platform/http/httpServer.ts'
import { withInstallation } from '../cli/withInstallation.ts'
import { currentPrices, type InitResult, runInit } from './init.ts'
import { type InitOptions, initPlan } from './initPlan.ts'
import { questionsTo } from './questions.ts'

/** Takes a new installation to its first call, with or without a running `npm start`. */
export async function initInstallation(
  options: InitOptions & { readonly json?: boolean | undefined },
): Promise<number> {
  const config = readConfig(process.env)
  requireSettings(config, ['PROVIDERS_FILE'])
  const providers = configuredProviders(config)
  const questions = questionsTo(process.stdin, (text) => process.stderr.write(text))
  // A wrong option is refused before a database is created.
  if (!questions.isInteractive) await initPlan(options, [], questions)
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 })
  const result = await withInstallation(
    async (engines) => {
      const prices = await currentPrices(engines)
      const unpriced = Object.keys(providers).filter((alias) => !prices.has(alias))
      return runInit(engines, config, await initPlan(options, unpriced, questions), questions)
    },
    { creates: true },
  )
  const gatewayUrl = `${serviceUrl(config.HOST, config.GATEWAY_PORT)}/llm/v1`
  const shown = options.json
    ? `${JSON.stringify({ ...result, gatewayUrl }, null, 2)}\n`
    : textOf(result, gatewayUrl, providers)
  process.stdout.write(shown)
  return 0
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
    `Prices: ${priced.length > 0 ? `published for ${priced.join(', ')}` : 'unchanged'}`,
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
