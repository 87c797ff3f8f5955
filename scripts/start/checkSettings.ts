import { type Config, requireSettings } from '../../services/platform/config/config.ts'
import { configuredProviders } from '../../services/platform/providers/configuredProviders.ts'
import type { ProviderTable } from '../../services/platform/providers/providersFile.ts'

/** What the services of a whole installation cannot do without, outside a sandbox. */
const REQUIRED = [
  'PROVIDERS_FILE',
  'JWT_SECRET',
  'INTERNAL_TOKEN',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SMTP_URL',
] as const

/** Before anything is started: a faulty file must not cost the start of a database. */
export function checkSettings(config: Config): ProviderTable {
  requireSettings(config, REQUIRED)
  return configuredProviders(config)
}
