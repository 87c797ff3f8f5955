import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { maskedConfig, readConfig, requireSettings, SETTING_NAMES, type SettingName } from './config.ts'
import { SettingError } from './settingError.ts'

const OPERATORS_GUIDE = new URL('../../docs/operators.md', import.meta.url)

/** The message of the SettingError, which must be one line. */
function messageOf(env: Record<string, string | undefined>): string {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(SettingError)
    const { message } = error as SettingError
    expect(message).not.toContain('\n')
    return message
  }
  throw new Error(`${JSON.stringify(env)} was accepted`)
}

describe('without any setting', () => {
  test('the documented defaults apply', () => {
    expect(readConfig({})).toEqual({
      HOST: '127.0.0.1',
      GATEWAY_PORT: 4000,
      BACKEND_PORT: 4001,
      AI_PORT: 4002,
      SANDBOX_PORT: 4003,
      SANDBOX_SMTP_PORT: 4007,
      PROJECTOR_PORT: 4004,
      REACTOR_PORT: 4005,
      RELAY_PORT: 4006,
      DATA_DIR: resolve('.data'),
      WEBHOOK_ALLOW_PRIVATE: '0',
      IP_RPM: 600,
      DEFAULT_KEY_RPM: 600,
      DEFAULT_KEY_TPM: 200_000,
      ABANDONED_TOKENS_SHARE: 0.02,
      ABANDONED_TOKENS_FLOOR: 200_000,
      DISPUTE_SUSPENDS_COMPANY: false,
      DEMO_KEY_RPM: 600,
      DEMO_KEY_TPM: 200_000,
      DEMO_CREDITS: 10_000,
      BREAKER_COOLDOWN_MS: 60_000,
      DRAIN_DELAY_MS: 0,
      DRAIN_TIMEOUT_MS: 15_000,
      TRUST_PROXY: 0,
      EVENTSTORE_PREFIX: 'tollgate.',
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      OTEL_TRACES_SAMPLER_ARG: 1,
      LOG_LEVEL: 'info',
      LOG_SCRUB_SHARE: 0.02,
      LOG_SCRUB_INTERVAL_MS: 3_600_000,
      sandbox: true,
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_API_BASE: 'http://127.0.0.1:4003',
      SMTP_URL: 'smtp://127.0.0.1:4007',
      MAIL_FROM: 'Tollgate <tollgate@sandbox.example>',
      PUBLIC_URL: 'http://127.0.0.1:4001',
    })
  })

  test('an empty value counts as not set, and other variables are ignored', () => {
    expect(readConfig({ GATEWAY_PORT: '', PATH: '/bin', HOME: '/root', HOSTNAME: 'x', npm_config_x: '1' })).toEqual(
      readConfig({}),
    )
  })
})

describe('the payment provider and the mail server', () => {
  const parties = (env: Record<string, string>) => {
    const { STRIPE_SECRET_KEY, STRIPE_API_BASE, SMTP_URL } = readConfig(env)
    return [STRIPE_SECRET_KEY, STRIPE_API_BASE, SMTP_URL]
  }

  test('are those of the sandbox if nothing is set', () => {
    expect(parties({ SANDBOX_PORT: '5003', SANDBOX_SMTP_PORT: '5007', HOST: '::1' })).toEqual([
      'sk_test_sandbox',
      'http://[::1]:5003',
      'smtp://[::1]:5007',
    ])
    expect(parties({ SANDBOX: '1', HOST: '0.0.0.0' })).toEqual([
      'sk_test_sandbox',
      'http://127.0.0.1:4003',
      'smtp://127.0.0.1:4007',
    ])
  })

  test('are the configured ones; with a custom key the sandbox is not used', () => {
    expect(parties({ STRIPE_SECRET_KEY: 'sk_test_mine', SMTP_URL: 'smtp://mail.example' })).toEqual([
      'sk_test_mine',
      undefined,
      'smtp://mail.example',
    ])
    expect(parties({ STRIPE_API_BASE: 'http://127.0.0.1:9' })[1]).toBe('http://127.0.0.1:9')
  })

  test('have no default outside of a sandbox installation', () => {
    expect(parties({ SANDBOX: '0' })).toEqual([undefined, undefined, undefined])
  })
})

describe('PUBLIC_URL', () => {
  test('is the address of the backend in a sandbox installation, unless it is set', () => {
    expect(readConfig({ HOST: '::1', BACKEND_PORT: '5001' }).PUBLIC_URL).toBe('http://[::1]:5001')
    expect(readConfig({ SANDBOX: '1', HOST: '0.0.0.0' }).PUBLIC_URL).toBe('http://127.0.0.1:4001')
    expect(readConfig({ PUBLIC_URL: 'https://t.example/app' }).PUBLIC_URL).toBe('https://t.example/app')
  })

  test('has no default elsewhere', () => {
    expect(readConfig({ SANDBOX: '0' }).PUBLIC_URL).toBeUndefined()
  })
})

describe('a bad value stops the start with the name of its setting', () => {
  test.each([
    ['GATEWAY_PORT', 'http'],
    ['GATEWAY_PORT', '65536'],
    ['BACKEND_PORT', '-1'],
    ['AI_PORT', '4000.5'],
    ['SANDBOX_PORT', ' 4003'],
    ['PROJECTOR_PORT', '0x10'],
    ['REACTOR_PORT', '1e3'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_URL', 'mysql://localhost/tollgate'],
    ['EVENTSTORE_URL', 'http://localhost:2113'],
    ['EVENTSTORE_PREFIX', 'tollgate-'],
    ['EVENTSTORE_PREFIX', '$tollgate.'],
    ['EVENTSTORE_PREFIX', 'a'.repeat(101)],
    ['KAFKA_BROKERS', 'localhost'],
    ['KAFKA_BROKERS', 'one:9092, two:9092'],
    ['REDIS_URL', 'localhost:6379'],
    ['JWT_SECRET', 'too short'],
    ['INTERNAL_TOKEN', 'too short'],
    ['STRIPE_API_BASE', 'api.stripe.com'],
    ['SMTP_URL', 'mail.example.com'],
    ['PUBLIC_URL', 'tollgate.example.com'],
    ['PUBLIC_URL', 'ftp://tollgate.example.com'],
    ['PUBLIC_URL', 'https://tollgate.example.com/?next=x'],
    ['PUBLIC_URL', 'https://user:secret@tollgate.example.com'],
    ['GATEWAY_PUBLIC_URL', 'gateway.example.com'],
    ['GATEWAY_PUBLIC_URL', 'https://user:secret@gateway.example.com'],
    ['SANDBOX', 'yes'],
    ['WEBHOOK_ALLOW_PRIVATE', 'yes'],
    ['WEBHOOK_SECRETS_KEY', 'too short'],
    ['WEBHOOK_SECRETS_KEY', 'long enough to seal the secrets of endpoints,short'],
    ['LOG_ORIGIN', 'log example'],
    ['LOG_ORIGIN', 'log+example'],
    ['LOG_SIGNING_KEY', 'log.example+12345678+AQ=='],
    ['LOG_SCRUB_SHARE', '0'],
    ['LOG_SCRUB_SHARE', '0.0009'],
    ['LOG_SCRUB_SHARE', '2'],
    ['LOG_SCRUB_INTERVAL_MS', '0'],
    ['IP_RPM', 'off'],
    ['IP_RPM', '-1'],
    ['DEFAULT_KEY_RPM', '0'],
    ['DEFAULT_KEY_TPM', 'many'],
    ['DISPUTE_SUSPENDS_COMPANY', '1'],
    ['ABANDONED_TOKENS_SHARE', '2'],
    ['ABANDONED_TOKENS_SHARE', '-0.1'],
    ['ABANDONED_TOKENS_SHARE', '2%'],
    ['ABANDONED_TOKENS_SHARE', '.5'],
    ['ABANDONED_TOKENS_FLOOR', '1e6'],
    ['DEMO_KEY_RPM', '0'],
    ['DEMO_KEY_TPM', '1.5'],
    ['DEMO_CREDITS', '0'],
    ['DEMO_CREDITS', '10000000000000'],
    ['BREAKER_COOLDOWN_MS', '0'],
    ['DRAIN_TIMEOUT_MS', '15s'],
    // Node would reduce a longer wait to one millisecond.
    ['DRAIN_TIMEOUT_MS', '3000000000'],
    ['DRAIN_DELAY_MS', '3000000000'],
    ['DRAIN_DELAY_MS', '-1'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s is refused', (name, value) => {
    expect(messageOf({ [name]: value })).toMatch(new RegExp(`^${name} `))
  })

  test('the message shows the value, unless it is a secret', () => {
    expect(messageOf({ GATEWAY_PORT: 'http' })).toContain('"http"')
    expect(messageOf({ JWT_SECRET: 'hunter2' })).not.toContain('hunter2')
    expect(messageOf({ INTERNAL_TOKEN: 'hunter2' })).not.toContain('hunter2')
    expect(messageOf({ LOG_SIGNING_KEY: 'PRIVATE+KEY+hunter2' })).not.toContain('hunter2')
    expect(messageOf({ DATABASE_URL: 'mysql://root:hunter2@db/x' })).not.toContain('hunter2')
  })
})

describe('a name that is one edit away from a setting stops the start', () => {
  test.each([
    ['GATEWAYPORT', 'GATEWAY_PORT'],
    ['GATEWAY_PORTS', 'GATEWAY_PORT'],
    ['GATEWEY_PORT', 'GATEWAY_PORT'],
    ['GATEWAY_PROT', 'GATEWAY_PORT'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['SANDBOXX', 'SANDBOX'],
    ['INTERNAL_TOKE', 'INTERNAL_TOKEN'],
    ['PROVIDER_FILE', 'PROVIDERS_FILE'],
    ['RIP_RPM', 'IP_RPM'],
  ])('%s is refused, with the suggestion %s', (name, meant) => {
    expect(messageOf({ [name]: 'x' })).toBe(`${name} is not a setting: did you mean ${meant}?`)
  })

  test('the message does not show the value, which may be a secret', () => {
    expect(messageOf({ JWT_SECERT: 'hunter2' })).not.toContain('hunter2')
  })
})

describe('an installation is a sandbox', () => {
  test.each<[string, Record<string, string>, boolean]>([
    ['on loopback with embedded engines', { HOST: '127.0.0.1' }, true],
    ['on localhost', { HOST: 'localhost' }, true],
    ['on IPv6 loopback', { HOST: '::1' }, true],
    ['not on every address', { HOST: '0.0.0.0' }, false],
    ['not on an address that only begins like loopback', { HOST: '127.0.0.1.example.com' }, false],
    ['not on a database of its own', { DATABASE_URL: 'postgres://db/x' }, false],
    ['not on an event store of its own', { EVENTSTORE_URL: 'esdb://es:2113' }, false],
    ['not on a bus of its own', { KAFKA_BROKERS: 'one:9092,two:9092' }, false],
    ['not on a shared state of its own', { REDIS_URL: 'redis://cache' }, false],
    ['when asked for', { HOST: '0.0.0.0', DATABASE_URL: 'postgres://db/x', SANDBOX: '1' }, true],
    ['never, when that is asked for', { SANDBOX: '0' }, false],
  ])('%s', (_, env, sandbox) => {
    expect(readConfig(env).sandbox).toBe(sandbox)
  })
})

describe('an installation that is not a sandbox', () => {
  const REQUIRED: readonly SettingName[] = ['JWT_SECRET', 'INTERNAL_TOKEN', 'PROVIDERS_FILE', 'STRIPE_SECRET_KEY']
  const complete = {
    HOST: '0.0.0.0',
    JWT_SECRET: 'x'.repeat(32),
    INTERNAL_TOKEN: 'x'.repeat(16),
    PROVIDERS_FILE: '/etc/providers.json',
    STRIPE_SECRET_KEY: 'sk_live_x',
  }

  test.each(REQUIRED)('does not start without %s, and the message names it', (name) => {
    const config = readConfig({ ...complete, [name]: undefined })
    expect(() => requireSettings(config, REQUIRED)).toThrowError(new RegExp(`^${name} is not set.*$`))
  })

  test('starts with all required settings; a sandbox needs none', () => {
    requireSettings(readConfig(complete), REQUIRED)
    requireSettings(readConfig({}), REQUIRED)
  })
})

test('the configuration that is logged at start has no secrets', () => {
  const secrets = {
    DATABASE_URL: 'postgres://root:hunter2@db/x',
    EVENTSTORE_URL: 'esdb://admin:hunter2@es:2113',
    REDIS_URL: 'redis://:hunter2@cache',
    JWT_SECRET: 'hunter2'.repeat(5),
    INTERNAL_TOKEN: 'hunter2'.repeat(5),
    STRIPE_SECRET_KEY: 'sk_hunter2',
    STRIPE_WEBHOOK_SECRET: 'whsec_hunter2',
    SMTP_URL: 'smtp://user:hunter2@mail',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:hunter2@collector',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/hunter2/v1/traces',
  }
  const masked = maskedConfig(readConfig({ ...secrets, HOST: '10.0.0.1' }))
  expect(JSON.stringify(masked)).not.toContain('hunter2')
  for (const name of Object.keys(secrets)) expect(masked[name]).toBe('***')
  expect(masked).toMatchObject({
    HOST: '10.0.0.1',
    GATEWAY_PORT: 4000,
    ABANDONED_TOKENS_FLOOR: 200_000,
    sandbox: false,
  })
  expect(maskedConfig(readConfig({})).JWT_SECRET).toBeUndefined()
})

test('docs/operators.md lists each setting exactly once, and no other', () => {
  const [, settings = ''] = /\n## Settings\n(.*?)\n## /s.exec(readFileSync(OPERATORS_GUIDE, 'utf8')) ?? []
  const rows = settings.split('\n').flatMap((line) => /^\| ((?:`[A-Z][A-Z_]*` ?)+)\|/.exec(line)?.[1] ?? [])
  const named = rows.flatMap((cell) => cell.match(/[A-Z][A-Z_]*/g) ?? [])
  expect(named.toSorted()).toEqual(SETTING_NAMES.toSorted())
})
