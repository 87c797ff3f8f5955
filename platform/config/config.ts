import { resolve } from 'node:path'
import { z } from 'zod'
import { isKeyName, isSigningKey, splitSigningKeys } from '../secrets/noteKeys.ts'
import { isLoopback, sandboxParties } from './sandboxParties.ts'
import { SettingError } from './settingError.ts'

const count = z
  .string()
  .regex(/^\d{1,12}$/, 'must be a whole number')
  .transform(Number)
const positive = count.refine((number) => number > 0, 'must be at least 1')
/** Node fires a timer of more than 24 days at once. */
const AT_MOST_A_DAY = [(ms: number) => ms <= 86_400_000, 'must be at most 86400000 (one day)'] as const
const milliseconds = positive.refine(...AT_MOST_A_DAY)
const share = z
  .string()
  .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'must be a number from 0 to 1, with up to six decimals')
  .transform(Number)
const port = count.refine((number) => number <= 65_535, 'must be a port number of at most 65535')
const address = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && schemes.includes(new URL(text).protocol),
      `must be a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    )
const publicAddress = address('http:', 'https:').refine((text) => {
  if (!URL.canParse(text)) return true
  const { search, hash, username, password } = new URL(text)
  return [search, hash, username, password].every((part) => part === '')
}, 'must have no user, no query and no fragment')
const secret = (charsMin: number) => z.string().min(charsMin, `must have at least ${charsMin} characters`)

const TRACE_SAMPLERS = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const

/** Every setting, with its default. A test compares the table in docs/operators.md with this. */
const SETTINGS = {
  HOST: z.string().default('127.0.0.1'),
  GATEWAY_PORT: port.default(4000),
  BACKEND_PORT: port.default(4001),
  AI_PORT: port.default(4002),
  SANDBOX_PORT: port.default(4003),
  /** The sandbox's SMTP port. */
  SANDBOX_SMTP_PORT: port.default(4007),
  /** Used only when these services run as separate processes; `npm start` gives them no port. */
  PROJECTOR_PORT: port.default(4004),
  REACTOR_PORT: port.default(4005),
  RELAY_PORT: port.default(4006),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: address('postgres:', 'postgresql:').optional(),
  /** Checks the beginning only: a cluster's address is not a URL, and the store's client checks the rest at the start. */
  EVENTSTORE_URL: z
    .string()
    .regex(/^esdb(\+discover)?:\/\/./, 'must begin with esdb:// or esdb+discover://')
    .optional(),
  /** The prefix of every stream in EventStoreDB, which other applications and installations may share. */
  EVENTSTORE_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9.]{1,100}$/, 'must be 1 to 100 letters, digits and dots')
    .default('tollgate.'),
  KAFKA_BROKERS: z
    .string()
    .regex(/^[^\s,:]+:\d+(,[^\s,:]+:\d+)*$/, 'must be host:port, or several separated by commas')
    .optional(),
  REDIS_URL: address('redis:', 'rediss:').optional(),
  JWT_SECRET: secret(32).optional(),
  INTERNAL_TOKEN: secret(16).optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_BASE: address('http:', 'https:').optional(),
  /** The public address of the backend: links in mails begin with it. */
  PUBLIC_URL: publicAddress.optional(),
  /** The public address of the gateway: the console's examples begin with it. */
  GATEWAY_PUBLIC_URL: publicAddress.optional(),
  CHECKOUT_RETURN_URL: address('http:', 'https:').optional(),
  SMTP_URL: address('smtp:', 'smtps:').optional(),
  MAIL_FROM: z.string().optional(),
  /** The name of the transparency log in its checkpoints and of its signing keys. */
  LOG_ORIGIN: z
    .string()
    .refine(
      (text) => isKeyName(text) && text.length <= 200,
      'must have neither spaces nor a plus, and at most 200 characters',
    )
    .optional(),
  /** One key, or the new one followed by old ones: all of them sign. */
  LOG_SIGNING_KEY: z
    .string()
    .refine(
      (text) => splitSigningKeys(text).every(isSigningKey),
      'must be a key that begins with PRIVATE+KEY+, or several such keys separated by commas; "npm run admin -- log-key" generates one',
    )
    .optional(),
  /** The share of time that the sealer spends comparing the event store with the log, and the pause between two runs. */
  LOG_SCRUB_SHARE: share.refine((number) => number >= 0.001, 'must be at least 0.001').default(0.02),
  LOG_SCRUB_INTERVAL_MS: milliseconds.default(3_600_000),
  PROVIDERS_FILE: z.string().optional(),
  /** Lets webhooks be sent to addresses of private networks; a sandbox always does. */
  WEBHOOK_ALLOW_PRIVATE: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
  /** Encrypts the signing secrets of webhook endpoints: one key, or the new one followed by old ones. */
  WEBHOOK_SECRETS_KEY: z
    .string()
    .regex(/^[^,]{32,}(,[^,]{32,})*$/, 'must have at least 32 characters, or be several such keys separated by commas')
    .optional(),
  SANDBOX: z.enum(['0', '1'], 'must be 0 or 1').optional(),
  IP_RPM: count.default(600),
  DEFAULT_KEY_RPM: positive.default(600),
  DEFAULT_KEY_TPM: positive.default(200_000),
  ABANDONED_TOKENS_SHARE: share.default(0.02),
  ABANDONED_TOKENS_FLOOR: count.default(200_000),
  /** Suspends a company while a payment of it is disputed. */
  DISPUTE_SUSPENDS_COMPANY: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((text) => text === 'true'),
  DEMO_KEY_RPM: positive.default(600),
  DEMO_KEY_TPM: positive.default(200_000),
  DEMO_CREDITS: positive.default(10_000),
  BREAKER_COOLDOWN_MS: milliseconds.default(60_000),
  /** How long a gateway keeps accepting calls after it has told load balancers that it is no longer ready. */
  DRAIN_DELAY_MS: count.refine(...AT_MOST_A_DAY).default(0),
  DRAIN_TIMEOUT_MS: milliseconds.default(15_000),
  TRUST_PROXY: z
    .string()
    .regex(/^(off|[1-9])$/, 'must be off, or the number of proxies in front of this service (1 to 9)')
    .transform((text) => (text === 'off' ? 0 : Number(text)))
    .default(0),
  /** The address of an OpenTelemetry collector; traces go to /v1/traces. The exporter reads its headers by itself. */
  OTEL_EXPORTER_OTLP_ENDPOINT: address('http:', 'https:').optional(),
  /** The full address for traces, if it is a different one. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address('http:', 'https:').optional(),
  OTEL_TRACES_SAMPLER: z
    .enum(TRACE_SAMPLERS, `must be ${TRACE_SAMPLERS.slice(0, -1).join(', ')} or ${TRACE_SAMPLERS.at(-1)}`)
    .default('parentbased_always_on'),
  /** The share of new traces that is sampled, for the samplers whose names end in `traceidratio`. */
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    )
    .default('info'),
} as const

export type SettingName = keyof typeof SETTINGS
export const SETTING_NAMES: readonly string[] = Object.keys(SETTINGS)

type Settings = { readonly [Name in keyof typeof SETTINGS]: z.infer<(typeof SETTINGS)[Name]> }

export type Config = Settings & {
  /** Whether there are sandbox parties and demo data: on loopback with embedded engines, or if SANDBOX is 1. */
  readonly sandbox: boolean
}

const ENGINE_ADDRESSES = ['DATABASE_URL', 'EVENTSTORE_URL', 'KAFKA_BROKERS', 'REDIS_URL'] as const
/** `TOKENS` are those of a model. Addresses may contain a password, or a token in their path. */
const MASKED = /SECRET|TOKEN(?!S)|PASSWORD|SIGNING_KEY|_(URL|ENDPOINT)$/

export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const slip = findNearMiss(Object.keys(given), new Set(SETTING_NAMES))
  if (slip) throw new SettingError(`${slip.name} is not a setting: did you mean ${slip.meant}?`)
  const settings: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(SETTINGS)) {
    const parsed = schema.safeParse(given[name])
    if (!parsed.success) {
      throw new SettingError(`${name} ${parsed.error.issues[0]?.message ?? 'is invalid'}${shown(name, given[name])}`)
    }
    settings[name] = parsed.data
  }
  const { HOST, SANDBOX, DATA_DIR, ...rest } = settings as Settings
  const onEngines = ENGINE_ADDRESSES.some((name) => rest[name] !== undefined)
  const sandbox = SANDBOX === '1' || (SANDBOX !== '0' && !onEngines && isLoopback(HOST))
  const parties = sandbox ? sandboxParties({ HOST, ...rest }) : {}
  return { ...rest, HOST, SANDBOX, DATA_DIR: resolve(DATA_DIR), sandbox, ...parties }
}

/** The configuration as it is logged at start, with secrets masked. */
export function maskedConfig(config: Config): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, value !== undefined && MASKED.test(name) ? '***' : value]),
  )
}

/** Throws if an installation that is not a sandbox lacks one of the settings. */
export function requireSettings(config: Config, names: readonly SettingName[]): void {
  if (config.sandbox) return
  for (const name of names) {
    if (config[name] === undefined) {
      throw new SettingError(
        `${name} is not set, and this is not a sandbox installation (HOST is not loopback, an engine's address is set, or SANDBOX is 0)`,
      )
    }
  }
}

function shown(name: string, value: string | undefined): string {
  return value === undefined || MASKED.test(name) ? '' : `, not ${JSON.stringify(value)}`
}

/** Finds a variable that is one edit away from a known name: a typo that would otherwise be ignored. */
export function findNearMiss(
  names: Iterable<string>,
  known: ReadonlySet<string>,
): { name: string; meant: string } | null {
  for (const name of names) {
    if (known.has(name)) continue
    for (const meant of known) if (isOneEditApart(name, meant)) return { name, meant }
  }
  return null
}

/** One character added, removed or replaced, or two neighbours swapped. */
export function isOneEditApart(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let endA = a.length
  let endB = b.length
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  const restA = a.slice(start, endA)
  const restB = b.slice(start, endB)
  if (restA.length <= 1 && restB.length <= 1) return true
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0]
}
