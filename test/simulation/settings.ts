import { type Config, readConfig } from '../../platform/config/config.ts'
import { testSigningKeys } from '../support/transparency/sealedTransparencyLog.ts'

export const HTTP_PORT = 80

const [signing] = testSigningKeys.of(testSigningKeys.origin)
/** With which outsiders verify what the transparency log signs. */
export const LOG_VKEY = signing.vkey

/** The settings of a production installation whose processes share one database. */
export const SETTINGS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://simulated/simulated',
  DATA_DIR: '/simulated',
  JWT_SECRET: 'secret-of-simulated-sessions-0001',
  INTERNAL_TOKEN: 'token-of-simulated-services-0001',
  STRIPE_SECRET_KEY: 'sk_test_simulated',
  STRIPE_API_BASE: 'http://payments',
  STRIPE_WEBHOOK_SECRET: 'whsec_simulated',
  WEBHOOK_SECRETS_KEY: 'key-of-simulated-webhook-secrets-1',
  PUBLIC_URL: 'https://tollgate.example',
  SMTP_URL: 'smtp://mail',
  LOG_ORIGIN: signing.name,
  LOG_SIGNING_KEY: signing.text,
  LOG_SCRUB_SHARE: '0.5',
  LOG_SCRUB_INTERVAL_MS: '2000',
  GATEWAY_PORT: String(HTTP_PORT),
  BACKEND_PORT: String(HTTP_PORT),
  AI_PORT: String(HTTP_PORT),
  IP_RPM: '0',
  LOG_LEVEL: 'info',
}

export function configOf(settings: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ ...SETTINGS, ...settings })
}
