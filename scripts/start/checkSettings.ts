import { configuredProviders } from '../../capabilities/providers/configuredProviders.ts'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import { signingKeysOf } from '../../capabilities/transparency/signingKeys.ts'
import { type Config, requireSettings } from '../../platform/config/config.ts'

/** The settings that an installation requires outside of a sandbox. */
const REQUIRED = [
  'PROVIDERS_FILE',
  'JWT_SECRET',
  'INTERNAL_TOKEN',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SMTP_URL',
  'PUBLIC_URL',
  'LOG_SIGNING_KEY',
] as const

/** Checks the settings before anything is started, so that an invalid file does not start a database. */
export function checkSettings(config: Config): ProviderTable {
  requireSettings(config, REQUIRED)
  if (config.LOG_SIGNING_KEY !== undefined) signingKeysOf(config)
  return configuredProviders(config)
}
