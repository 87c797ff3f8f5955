import { z } from 'zod'
import { type AliasProviders, routeOf } from '../../../capabilities/providers/providersFile.ts'
import { WIRES, wiresOf } from '../../../capabilities/providers/wires.ts'
import type { AliasPrice, Rates } from '../../../contracts/events/pricing.ts'
import { creditsNumber } from '../../../domain/credits.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { anyQuery, route } from '../../../platform/http/route.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import type { RequestContext } from '../requestContext.ts'
import type { LiveKey } from '../views/keys.ts'
import { MOUNT } from './mount.ts'

/** 2026-01-01. An alias is a stable name, so all of them are as old as the service. */
const CREATED_SECONDS = 1_767_225_600

const credits = z.number().nullable()
const rates = {
  ...{ input: credits, cached_input: credits, cache_write: credits, cache_write_1h: credits },
  ...{ audio_input: credits, image_input: credits },
  ...{ output: credits, reasoning: credits, audio_output: credits, image_output: credits },
}
const PER_MILLION = 1_000_000

export const modelAnswer = z
  .object({
    id: z.string().describe('The alias'),
    object: z.string(),
    created: z.number(),
    owned_by: z.string(),
    context_length: z.int().nullable().describe('Tokens of input and output together; null if it is not known'),
    max_output_tokens: z.int().describe('What a hard cap counts for a call that names no limit of its own'),
    wires: z.array(z.enum(WIRES)).describe('The APIs that the model can be called with'),
    pricing: z
      .object({
        ...rates,
        per_call: credits,
        input_tiers: z
          .array(z.object({ tokens: z.int(), inclusive: z.boolean(), ...rates }))
          .describe('Other rates for input of more tokens, or of as many if it is inclusive'),
        units: z.record(z.string(), z.number()).describe('Credits for one image, search, call of a hosted tool, ...'),
        service_tiers: z.record(z.string(), z.number()).describe('What the rates of tokens are multiplied by'),
      })
      .describe(
        'Credits per million tokens, and per call. A kind without a rate costs as input or output, cache_write_1h as cache_write',
      ),
  })
  .meta({ id: 'Model' })

export const modelsAnswer = z.object({ object: z.literal('list'), data: z.array(modelAnswer) })

export const MODELS_SUMMARY = 'Lists the models that this key may call, with their sizes, APIs and prices.'

export const models = (deps: GatewayDependencies) =>
  route({
    method: 'GET',
    path: `${MOUNT}/models`,
    access: 'key',
    scope: 'inference:chat',
    tag: 'Models',
    summary: MODELS_SUMMARY,
    query: anyQuery,
    answer: modelsAnswer,
    handle: ({ caller }: { caller: RequestContext }) => listModels(deps, caller.key),
  })

type Catalogue = Pick<GatewayDependencies, 'providerTable' | 'views' | 'clock'>
type Model = z.infer<typeof modelAnswer>

/** In the order of PROVIDERS_FILE. */
export function listModels(catalogue: Catalogue, key: LiveKey): z.infer<typeof modelsAnswer> {
  const listed = Object.keys(catalogue.providerTable).map((alias) => modelOf(catalogue, key, alias))
  return { object: 'list', data: listed.filter((model) => model !== null) }
}

/** Null unless the alias has a provider and a price, and the key may call it. */
export function modelOf({ providerTable, views, clock }: Catalogue, key: LiveKey, alias: string): Model | null {
  if (key.models && !key.models.has(alias)) return null
  const entry = routeOf(providerTable, alias)
  const price = views.prices.priceAt(key.companyId, alias, isoTime(clock.now()))
  return entry && price ? described(alias, entry, price) : null
}

function described(alias: string, entry: AliasProviders, price: AliasPrice): Model {
  return {
    id: alias,
    object: 'model',
    created: CREATED_SECONDS,
    owned_by: 'svc',
    context_length: entry.contextLength ?? null,
    max_output_tokens: entry.maxOutputTokens,
    wires: wiresOf(entry.providers),
    pricing: pricingOf(price),
  }
}

function pricingOf({ rates, inputTiers = [], unitRates = {}, tierFactors = {}, callMicros }: AliasPrice) {
  return {
    ...ratesShown(rates),
    per_call: creditsOf(callMicros),
    input_tiers: inputTiers.map((tier) => ({
      tokens: tier.tokens,
      inclusive: tier.inclusive,
      ...ratesShown(tier.rates),
    })),
    units: mapped(unitRates, (rate) => creditsNumber(BigInt(rate)) / PER_MILLION),
    service_tiers: mapped(tierFactors, (factor) => Number(factor) / PER_MILLION),
  }
}

function ratesShown(rates: Rates) {
  return {
    input: creditsOf(rates.input),
    cached_input: creditsOf(rates.cachedInput),
    cache_write: creditsOf(rates.cacheWrite),
    cache_write_1h: creditsOf(rates.cacheWrite1h),
    audio_input: creditsOf(rates.audioInput),
    image_input: creditsOf(rates.imageInput),
    output: creditsOf(rates.output),
    reasoning: creditsOf(rates.reasoning),
    audio_output: creditsOf(rates.audioOutput),
    image_output: creditsOf(rates.imageOutput),
  }
}

function mapped(amounts: Readonly<Record<string, string>>, shown: (amount: string) => number): Record<string, number> {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, shown(amount)]))
}

function creditsOf(micros: string | undefined): number | null {
  return micros === undefined ? null : creditsNumber(BigInt(micros))
}
