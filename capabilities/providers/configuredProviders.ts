import type { Config } from '../../platform/config/config.ts'
import { sandboxHost } from '../../platform/config/sandboxParties.ts'
import { serviceUrl } from '../../platform/http/httpServer.ts'
import { type ProviderTable, readProvidersFile, sandboxProviders } from './providersFile.ts'

/** The table in PROVIDERS_FILE; without one, a sandbox installation uses the sandbox for every alias. */
export function configuredProviders(config: Config): ProviderTable {
  if (config.PROVIDERS_FILE) return readProvidersFile(config.PROVIDERS_FILE, process.env)
  return config.sandbox ? sandboxProviders(serviceUrl(sandboxHost(config), config.SANDBOX_PORT)) : {}
}
