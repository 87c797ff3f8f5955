import type { Config } from '../config/config.ts'
import { sandboxHost } from '../config/sandboxParties.ts'
import { serviceUrl } from '../http/httpServer.ts'
import { type ProviderTable, readProvidersFile, sandboxProviders } from './providersFile.ts'

/** The table of PROVIDERS_FILE; without one, a sandbox installation uses the sandbox for every alias. */
export function configuredProviders(config: Config): ProviderTable {
  if (config.PROVIDERS_FILE) return readProvidersFile(config.PROVIDERS_FILE, process.env)
  return config.sandbox ? sandboxProviders(serviceUrl(sandboxHost(config), config.SANDBOX_PORT)) : {}
}
