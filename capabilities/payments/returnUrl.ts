import type { Config } from '../../platform/config/config.ts'
import { serviceUrl } from '../../platform/http/httpServer.ts'

/** Where the provider's pages send a person back to. The page reads `outcome` from the query. */
export function returnUrlOf(config: Pick<Config, 'CHECKOUT_RETURN_URL' | 'HOST' | 'BACKEND_PORT'>): string {
  return config.CHECKOUT_RETURN_URL ?? `${serviceUrl(config.HOST, config.BACKEND_PORT)}/payments/return`
}
