import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import { configuredProviders } from './configuredProviders.ts'
import type { ProviderTable } from './providersFile.ts'

export type Reload = {
  readonly config: Config
  readonly log: Log
  /** Gets the new table, which is valid. */
  readonly take: (table: ProviderTable) => void
}

/** Reads PROVIDERS_FILE anew at each SIGHUP; a file with a fault changes nothing. Returns how to leave off. */
export function reloadProvidersOnHangup({ config, log, take }: Reload): () => void {
  const onHangup = () => {
    if (config.PROVIDERS_FILE === undefined) {
      log.info('SIGHUP: PROVIDERS_FILE is not set, there is nothing to read anew')
      return
    }
    try {
      const table = configuredProviders(config)
      take(table)
      log.info({ aliases: Object.keys(table) }, 'SIGHUP: the providers were read anew')
    } catch (error) {
      log.error(`SIGHUP: the providers stay as they are: ${(error as Error).message}`)
    }
  }
  process.on('SIGHUP', onHangup)
  return () => void process.off('SIGHUP', onHangup)
}
