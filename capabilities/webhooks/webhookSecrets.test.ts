import { expect, test } from 'vitest'
import { WebhookSecrets, webhookSecretsOf } from './webhookSecrets.ts'

const KEY = 'a key of the environment that is long enough'
const NEW_KEY = 'the key that replaces it and is long enough'
const GENERATED = { jwtSecret: 'generated for the sandbox and long enough', internalToken: '', webhookSecret: '' }
const SANDBOX = { sandbox: true, WEBHOOK_SECRETS_KEY: undefined }

test('a secret is random, sealed, and opens only for its endpoint and with its key', () => {
  const secrets = new WebhookSecrets([KEY])
  const { secret, sealed } = secrets.mint('endpoint')
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(sealed).not.toContain(secret.slice(6, 20))
  expect(secrets.mint('endpoint').secret).not.toBe(secret)
  expect(secrets.open(sealed, 'endpoint')).toBe(secret)
  expect(secrets.open(sealed, 'another endpoint')).toBeNull()
  expect(new WebhookSecrets([NEW_KEY]).open(sealed, 'endpoint')).toBeNull()
  expect(secrets.open(`${sealed.slice(0, -2)}AA`, 'endpoint')).toBeNull()
})

test('a new key seals, and the old one next to it still opens', () => {
  const { secret, sealed } = new WebhookSecrets([KEY]).mint('endpoint')
  const both = webhookSecretsOf({ sandbox: false, WEBHOOK_SECRETS_KEY: `${NEW_KEY},${KEY}` }, GENERATED)
  expect(both.open(sealed, 'endpoint')).toBe(secret)
  const next = both.mint('endpoint')
  expect(new WebhookSecrets([NEW_KEY]).open(next.sealed, 'endpoint')).toBe(next.secret)
  expect(new WebhookSecrets([KEY]).open(next.sealed, 'endpoint')).toBeNull()
})

test('only a sandbox has a key without setting one', () => {
  const { secret, sealed } = webhookSecretsOf(SANDBOX, GENERATED).mint('endpoint')
  expect(webhookSecretsOf(SANDBOX, GENERATED).open(sealed, 'endpoint')).toBe(secret)
  expect(() => webhookSecretsOf({ ...SANDBOX, sandbox: false }, GENERATED).mint('endpoint')).toThrow(
    /WEBHOOK_SECRETS_KEY/,
  )
})
