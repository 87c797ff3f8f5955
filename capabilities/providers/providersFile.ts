import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ALIAS_RULE, isModelAlias, SANDBOX_ALIASES } from '../../contracts/aliases.ts'
import { TOKENS_PER_CALL_MAX } from '../../domain/ledger/decider.ts'
import { SettingError } from '../../platform/config/settingError.ts'
import { providerCostSetting } from './providerCostSetting.ts'
import { DEFAULT_WEIGHT, STRATEGIES, type Strategy } from './providerOrder.ts'
import { USAGE_SHAPES, type UsageShape } from './usageShape.ts'
import { DEFAULT_WIRES, WIRES, type WireName } from './wires.ts'

/** GET /models lists all of them, and gateways report them every few seconds. */
const ALIASES_MAX = 1_000
/** A call is impossible without these, so refusing one is a mistake. */
const NEEDED_FIELDS = new Set(['model', 'messages', 'prompt', 'input'])
const REFUSED_FIELDS_MAX = 100
const ALLOWED_TOOLS_MAX = 100
/** Drop: such tools are removed from the request, for clients that send them to every model. */
const UNOFFERED_TOOLS = ['refuse', 'drop'] as const
type UnofferedTools = (typeof UNOFFERED_TOOLS)[number]
/** Drain: the gateway reads on after the caller has left, and charges the usage that the provider reports. */
const ABANDONED = ['free', 'drain'] as const
type Abandoned = (typeof ABANDONED)[number]
/** How many providers one call may try. */
const PROVIDERS_PER_ALIAS_MAX = 16

const WEIGHT_MAX = 1_000_000

/** A reasoning model may think for minutes before its first byte, and between two bytes. */
const FIRST_BYTE_MS_DEFAULT = 600_000
const IDLE_MS_DEFAULT = 120_000

const timeoutMs = z.int().min(1).max(3_600_000)

const provider = z.strictObject({
  name: z.string().min(1),
  baseUrl: z.url({ protocol: /^https?$/ }),
  model: z.string().min(1),
  /** The name of the environment variable with the key; the key itself is never in the file. */
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_]\w*$/)
    .optional(),
  /** The APIs that it serves; it is never called over another one. */
  wires: z
    .array(z.enum(WIRES))
    .min(1)
    .default([...DEFAULT_WIRES]),
  /** How it reports usage, where that differs from what is usual for the API of the call. */
  usage: z.enum(USAGE_SHAPES).optional(),
  connectTimeoutMs: timeoutMs.default(2_000),
  firstByteTimeoutMs: timeoutMs.default(FIRST_BYTE_MS_DEFAULT),
  idleTimeoutMs: timeoutMs.default(IDLE_MS_DEFAULT),
  /** Used by the strategy `weighted`. A provider of weight 0 is tried only after the others. */
  weight: z.number().min(0).max(WEIGHT_MAX).default(DEFAULT_WEIGHT),
  /** What the provider charges us; the price book has what the caller pays. */
  cost: providerCostSetting.optional(),
})

const refusedField = z
  .string()
  .regex(/^\w{1,64}$/, 'must be the name of a field of the request')
  .refine((name) => !NEEDED_FIELDS.has(name), 'must not be a field that every request needs')

const hostedTool = z.string().regex(/^\w{1,64}$/, 'must be the type of a hosted tool')

const providersFile = z.strictObject({
  aliases: z
    .record(
      z.string().refine(isModelAlias, `is not a model alias, which ${ALIAS_RULE}`),
      z.strictObject({
        strategy: z.enum(STRATEGIES).default('order'),
        contextLength: z.int().positive().max(TOKENS_PER_CALL_MAX).optional(),
        /** Fields of a request that are answered with 400. */
        refuse: z.array(refusedField).max(REFUSED_FIELDS_MAX).default([]),
        /** Hosted tools of Responses and Messages that may be used. */
        allow: z.array(hostedTool).max(ALLOWED_TOOLS_MAX).default([]),
        /** How to handle a request with other hosted tools. */
        unofferedTools: z.enum(UNOFFERED_TOOLS).default('refuse'),
        /** What becomes of a call whose caller leaves before the answer is complete. */
        abandoned: z.enum(ABANDONED).default('free'),
        maxOutputTokens: z.int().positive().default(4_096),
        providers: z
          .array(provider)
          .min(1)
          .max(PROVIDERS_PER_ALIAS_MAX)
          .refine((each) => each.some(({ weight }) => weight > 0), 'at least one needs a weight above 0'),
      }),
    )
    .refine((each) => Object.keys(each).length <= ALIASES_MAX, `at most ${ALIASES_MAX} aliases are possible`),
})

export type Provider = Omit<z.infer<typeof provider>, 'apiKeyEnv' | 'wires' | 'weight' | 'usage'> & {
  readonly apiKey: string | null
  readonly wires?: readonly WireName[]
  /** How it reports usage; as is usual for the API of the call if undefined. */
  readonly usage?: UsageShape | undefined
  readonly weight?: number
}
export type AliasProviders = {
  readonly maxOutputTokens: number
  readonly strategy?: Strategy
  /** The most tokens of input and output together that a model of the alias accepts; undefined if not set. */
  readonly contextLength?: number | undefined
  /** Fields of a request that are answered with 400. */
  readonly refuse?: readonly string[]
  /** Hosted tools of Responses and Messages that may be used. */
  readonly allow?: readonly string[]
  /** How to handle a request with other hosted tools; `refuse` by default. */
  readonly unofferedTools?: UnofferedTools
  /** What becomes of a call whose caller leaves before the answer is complete; `free` by default. */
  readonly abandoned?: Abandoned
  readonly providers: readonly [Provider, ...Provider[]]
}
/** The providers of each alias; an alias without an entry has none. */
export type ProviderTable = Readonly<Partial<Record<string, AliasProviders>>>

/** Undefined if the table has no such alias. "constructor" is a valid alias, and must not find an inherited property. */
export function routeOf(table: ProviderTable, alias: string): AliasProviders | undefined {
  return Object.hasOwn(table, alias) ? table[alias] : undefined
}

export function readProvidersFile(path: string, env: Readonly<Record<string, string | undefined>>): ProviderTable {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new SettingError(`PROVIDERS_FILE: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  return parseProviders(text, path, env)
}

export function parseProviders(
  text: string,
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): ProviderTable {
  const parsed = providersFile.safeParse(parseJson(text, path))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    // The message about a wrong key of a record is inside its issue.
    const message = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message
    throw new SettingError(`PROVIDERS_FILE: ${path}: ${issue?.path.join('.') || 'the file'}: ${message}`)
  }
  const table: Partial<Record<string, AliasProviders>> = {}
  for (const [alias, entry] of Object.entries(parsed.data.aliases)) {
    const providers = entry.providers.map(({ apiKeyEnv, ...rest }): Provider => {
      const apiKey = apiKeyEnv === undefined ? null : env[apiKeyEnv]
      if (!apiKey && apiKey !== null) {
        throw new SettingError(`${apiKeyEnv} is not set; ${path} names it as the key of provider ${rest.name}`)
      }
      return { ...rest, apiKey: apiKey ?? null }
    })
    table[alias] = {
      maxOutputTokens: entry.maxOutputTokens,
      strategy: entry.strategy,
      contextLength: entry.contextLength,
      refuse: entry.refuse,
      allow: entry.allow,
      unofferedTools: entry.unofferedTools,
      abandoned: entry.abandoned,
      providers: providers as [Provider, ...Provider[]],
    }
  }
  return table
}

/** The table of an installation without a file: the sandbox on loopback serves every alias. */
export function sandboxProviders(sandboxUrl: string): ProviderTable {
  const entryOf = (alias: string): AliasProviders => ({
    maxOutputTokens: 4_096,
    providers: [
      {
        name: 'sandbox',
        baseUrl: `${sandboxUrl}/v1`,
        model: `sandbox-${alias.slice(alias.indexOf('/') + 1)}`,
        apiKey: null,
        wires: alias === 'svc/embed-default' ? DEFAULT_WIRES : WIRES,
        connectTimeoutMs: 2_000,
        firstByteTimeoutMs: FIRST_BYTE_MS_DEFAULT,
        idleTimeoutMs: IDLE_MS_DEFAULT,
      },
    ],
  })
  return Object.fromEntries(SANDBOX_ALIASES.map((alias) => [alias, entryOf(alias)]))
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // V8 quotes the text with its line breaks; a setting error is one line.
    throw new SettingError(`PROVIDERS_FILE: ${path} is not JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`)
  }
}
