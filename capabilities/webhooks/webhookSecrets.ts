import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Refusal } from '../../domain/decider.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Secrets } from '../../platform/secrets/generatedSecrets.ts'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const TAG = { authTagLength: TAG_BYTES }
/** The bytes of a signing secret; the specification allows 24 to 64. */
const SECRET_BYTES = 32
const FORMAT = '1.'

/**
 * The signing secrets of webhook endpoints. They are stored encrypted, with a key from the environment that is in no
 * backup.
 */
export class WebhookSecrets {
  /** The first one seals; all of them open. */
  readonly #keys: readonly Buffer[]

  constructor(keys: readonly string[]) {
    this.#keys = keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'tollgate webhook secrets', KEY_BYTES)))
  }

  /** A new secret for an endpoint. It is shown once; only the sealed form is stored. */
  mint(endpointId: string): { readonly secret: string; readonly sealed: string } {
    const [key] = this.#keys
    if (!key) {
      throw new Refusal('CONFLICT', 'this installation sends no webhooks: its operator has not set WEBHOOK_SECRETS_KEY')
    }
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, key, nonce, TAG).setAAD(Buffer.from(endpointId))
    const encrypted = Buffer.concat([cipher.update(secret), cipher.final()])
    return { secret, sealed: FORMAT + Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url') }
  }

  /** null if it was sealed with a key that this installation does not have. */
  open(sealed: string, endpointId: string): string | null {
    const bytes = Buffer.from(sealed.slice(FORMAT.length), 'base64url')
    for (const key of this.#keys) {
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), TAG)
          .setAAD(Buffer.from(endpointId))
          .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
        return Buffer.concat([opened, decipher.final()]).toString()
      } catch {
        // Sealed with another key, or damaged.
      }
    }
    return null
  }
}

/** A sandbox installation without a configured key uses one that it has generated. */
export function webhookSecretsOf(config: Pick<Config, 'sandbox' | 'WEBHOOK_SECRETS_KEY'>, secrets: Secrets) {
  const generated = config.sandbox && secrets.jwtSecret !== '' ? [secrets.jwtSecret] : []
  return new WebhookSecrets(config.WEBHOOK_SECRETS_KEY?.split(',') ?? generated)
}
