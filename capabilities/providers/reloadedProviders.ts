import type { Config } from '../../platform/config/config.ts'
import type { Log } from '../../platform/logger/logger.ts'
import { configuredProviders } from './configuredProviders.ts'
import type { ProviderTable } from './providersFile.ts'

export type Reload = {
  readonly config: Config
  readonly log: Log
  /** Called with the new, valid table. */
  readonly onReload: (table: ProviderTable) => void
}

/** Reads PROVIDERS_FILE again at each SIGHUP; an invalid file has no effect. Returns a function that stops this. */
export function reloadProvidersOnHangup({ config, log, onReload }: Reload): () => void {
  const onHangup = () => {
    if (config.PROVIDERS_FILE === undefined) {
      log.info('SIGHUP ignored: PROVIDERS_FILE is not set')
      return
    }
    try {
      const table = configuredProviders(config)
      onReload(table)
      log.info({ aliases: Object.keys(table) }, 'SIGHUP: providers file reloaded')
    } catch (error) {
      log.error(`SIGHUP: providers file not reloaded, the current providers stay in use: ${(error as Error).message}`)
    }
  }
  process.on('SIGHUP', onHangup)
  return () => void process.off('SIGHUP', onHangup)
}
